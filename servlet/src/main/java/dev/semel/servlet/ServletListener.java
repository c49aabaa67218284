package dev.semel.servlet;

import dev.semel.http.Ending;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Is told how each request of a route ended, for meters and logs. Called on the thread of the request: must be quick, must not throw. */
@FunctionalInterface
public interface ServletListener {
    /** Nobody listens. */
    ServletListener NONE = ended -> {};

    void on(Ended ended);

    /**
     * One request has its answer, which is about to leave.
     *
     * @param route null when it was refused before its route was known
     * @param problem the name of the problem that it was answered with; null for any other answer
     */
    record Ended(
            @Nullable ServletRoute route,
            Ending ending,
            int status,
            @Nullable String problem,
            Duration took) {}
}
