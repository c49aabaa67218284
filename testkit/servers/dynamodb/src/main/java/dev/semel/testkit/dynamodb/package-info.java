/** A real DynamoDB Local as a child process of a test. */
@NullMarked
package dev.semel.testkit.dynamodb;

import org.jspecify.annotations.NullMarked;
