package dev.semel.gateway.config;

import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Finds the name that a misspelt word was probably meant to be. */
public final class Spelling {
    private Spelling() {}

    /** The nearest of these names; null when none is near enough to be meant. */
    public static @Nullable String nearest(String word, Collection<String> names) {
        String nearest = null;
        int least = Math.max(1, plain(word).length() / 3) + 1;
        for (String name : names.stream().sorted().toList()) {
            int distance = distance(plain(word), plain(name));
            if (distance < least) {
                least = distance;
                nearest = name;
            }
        }
        return nearest;
    }

    /** {@code inFlight} and {@code in_flight} are {@code in-flight} with another habit. */
    private static String plain(String word) {
        return word.replaceAll("[-_ ]", "").toLowerCase(Locale.ROOT);
    }

    /** How many letters are to be added, left out, changed, or swapped with their neighbour. */
    private static int distance(String one, String other) {
        int[][] steps = new int[one.length() + 1][other.length() + 1];
        for (int i = 0; i <= one.length(); i++) {
            for (int j = 0; j <= other.length(); j++) {
                if (i == 0 || j == 0) {
                    steps[i][j] = i + j;
                    continue;
                }
                int change = one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1;
                int least = Math.min(steps[i - 1][j] + 1, steps[i][j - 1] + 1);
                least = Math.min(least, steps[i - 1][j - 1] + change);
                boolean swapped = i > 1
                        && j > 1
                        && one.charAt(i - 1) == other.charAt(j - 2)
                        && one.charAt(i - 2) == other.charAt(j - 1);
                steps[i][j] = swapped ? Math.min(least, steps[i - 2][j - 2] + 1) : least;
            }
        }
        return steps[one.length()][other.length()];
    }
}
