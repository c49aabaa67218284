package dev.semel.http;

import dev.semel.http.template.PathTemplate;
import dev.semel.http.template.Placeholder;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How the upstream is asked whether an operation in doubt has happened, and what its answers mean. A status that is
 * neither found nor absent means: ask again.
 *
 * @param path where to ask; the key, headers and members of the request may stand in it
 * @param headers what to send along, such as credentials; never stored
 * @param found statuses that say it happened: the body is the outcome
 * @param absent statuses that say it did not
 * @param absentIfEmpty whether a found answer in which {@code outcome} names nothing says that it did not happen
 * @param outcome where in a found body the outcome stands, as a JSON pointer; null for the whole body
 * @param status what status the outcome is given; null for that of the answer
 */
public record ProbeRule(
        String method,
        PathTemplate path,
        Headers headers,
        Set<Integer> found,
        Set<Integer> absent,
        boolean absentIfEmpty,
        @Nullable String outcome,
        @Nullable Integer status,
        Duration after,
        Duration timeout,
        Duration pause,
        Duration longestPause,
        int attempts) {

    /** What may stand in the path. */
    public static final Set<Placeholder.Kind> PLACEHOLDERS =
            Set.of(Placeholder.Kind.KEY, Placeholder.Kind.HEADER, Placeholder.Kind.BODY);

    /** Whether the path needs more of the request than its key, so that it must be kept while the request runs. */
    boolean needsMemo() {
        return path.uses(Placeholder.Kind.HEADER) || path.uses(Placeholder.Kind.BODY);
    }

    /** Where it asks, for everybody to read: without the query, in which a secret may stand. */
    public String place() {
        String text = path.toString();
        int query = text.indexOf('?');
        return method + " " + (query < 0 ? text : text.substring(0, query));
    }

    /** In one line, for people. */
    @Override
    public String toString() {
        return method + " " + path + " (found " + List.copyOf(found) + ", absent " + List.copyOf(absent) + ")";
    }
}
