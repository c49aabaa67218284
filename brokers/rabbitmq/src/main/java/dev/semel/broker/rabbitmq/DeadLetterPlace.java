package dev.semel.broker.rabbitmq;

/** Where messages go that cannot be handled. */
sealed interface DeadLetterPlace {
    /** Nobody has said. */
    record None() implements DeadLetterPlace {}

    /** The consumer sends them there by itself. */
    record Queue(String name) implements DeadLetterPlace {}

    /** RabbitMQ sends them wherever the queue they are in is set up to. */
    record ExchangeOfQueue() implements DeadLetterPlace {}
}
