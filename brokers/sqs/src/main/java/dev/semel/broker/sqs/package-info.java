/** Messages to and from SQS. */
@NullMarked
package dev.semel.broker.sqs;

import org.jspecify.annotations.NullMarked;
