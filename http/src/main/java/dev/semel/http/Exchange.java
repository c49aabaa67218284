package dev.semel.http;

/**
 * All that can be known after trying to have a request answered. The line between {@link NotSent} and the rest is what
 * everything else is built on: whoever says "not sent" must be certain.
 *
 * @param <B> how the one who sends keeps a body that is too large to hold
 */
public sealed interface Exchange<B> {

    /** The full answer. */
    record Answered<B>(HttpResponse response) implements Exchange<B> {}

    /** An answer whose body is over the limit: the head, and what it takes to pass the body on as it comes. */
    record TooLargeToKeep<B>(int status, Headers headers, B body) implements Exchange<B> {}

    /** Not one byte of the request left this process: it did not run. */
    record NotSent<B>(String why) implements Exchange<B> {}

    /** Something was sent, then the connection broke before the full answer: nobody knows. */
    record Broken<B>(String why) implements Exchange<B> {}

    /** Something was sent, and time ran out before the full answer: nobody knows. */
    record TimedOut<B>(String why) implements Exchange<B> {}
}
