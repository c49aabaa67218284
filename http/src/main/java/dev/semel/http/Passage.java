package dev.semel.http;

/**
 * The way of a request that may run now. Whoever has it runs the request, says once what became of it, and closes it.
 * Closed without a word, the key is in doubt. For one thread at a time.
 */
public interface Passage extends AutoCloseable {

    Attempt attempt();

    /** What the client is told, now that this became of the request. When it returns, what it says is durable. */
    <B> Reply<B> settle(Exchange<B> exchange);

    @Override
    void close();
}
