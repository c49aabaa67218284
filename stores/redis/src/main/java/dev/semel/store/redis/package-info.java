/** Keys in Redis or Valkey; the door is {@link dev.semel.store.redis.RedisKeyStore}. */
@NullMarked
package dev.semel.store.redis;

import org.jspecify.annotations.NullMarked;
