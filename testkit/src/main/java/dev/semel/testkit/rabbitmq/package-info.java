/** A real RabbitMQ as a child process of a test. */
@NullMarked
package dev.semel.testkit.rabbitmq;

import org.jspecify.annotations.NullMarked;
