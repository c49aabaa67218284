package dev.semel.http;

/** Whatever runs the operation behind the guard: a server across the network, or the rest of a filter chain. */
@FunctionalInterface
public interface Upstream<B> {
    /** Sends the request on, once, and blocks until the fate of the exchange is as clear as it will get. */
    Exchange<B> send(Attempt attempt);
}
