/** A key store on Amazon DynamoDB: one item a key, written on condition, forgotten by the server. */
@NullMarked
package dev.semel.store.dynamodb;

import org.jspecify.annotations.NullMarked;
