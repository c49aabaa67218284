package dev.semel.torture.history;

import org.jspecify.annotations.Nullable;

/**
 * One attempt of a client.
 *
 * @param end an {@link Event.Answered} or an {@link Event.Unanswered}; null when the run ended first
 */
public record Call(Event.Sent sent, @Nullable Event end) {

    /** The whole answer; null when there was none. */
    public Event.@Nullable Answered answer() {
        return end instanceof Event.Answered it ? it : null;
    }
}
