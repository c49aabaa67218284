/** Real Redis servers as child processes of a test: one, a master with replicas and sentinels, or a whole cluster. */
@NullMarked
package dev.semel.testkit.redis;

import org.jspecify.annotations.NullMarked;
