/** RabbitMQ as a broker, and a consumer that reads from its queues. */
@NullMarked
package dev.semel.broker.rabbitmq;

import org.jspecify.annotations.NullMarked;
