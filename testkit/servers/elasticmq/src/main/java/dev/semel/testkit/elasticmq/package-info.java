/** ElasticMQ, which stands in for SQS, as a child process of a test. */
@NullMarked
package dev.semel.testkit.elasticmq;

import org.jspecify.annotations.NullMarked;
