package dev.semel.http.template;

import dev.semel.http.json.FieldReading;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What becomes of a template and a request. */
public sealed interface Rendering {

    record Text(String text) implements Rendering {}

    /**
     * Not every placeholder has a value that can stand in its place.
     *
     * @param what whole sentences for the client: what is missing, or what is wrong with it. They never repeat what was
     *     sent.
     * @param entirely whether the request holds nothing at all for any placeholder, as if nobody had tried
     */
    record Missing(String what, boolean entirely) implements Rendering {}

    /** What is missing among these, or null when they are values all. */
    static @Nullable Missing missing(List<FieldReading> readings) {
        Set<String> flaws = new LinkedHashSet<>();
        boolean entirely = true;
        for (FieldReading reading : readings) {
            switch (reading) {
                case FieldReading.Value value -> entirely = false;
                case FieldReading.Nothing(String why) -> flaws.add(why);
                case FieldReading.Unusable(String why) -> {
                    flaws.add(why);
                    entirely = false;
                }
            }
        }
        return flaws.isEmpty() ? null : new Missing(String.join(" ", flaws), entirely);
    }
}
