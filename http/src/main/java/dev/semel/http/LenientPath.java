package dev.semel.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Paths as the most lenient servers compare them: without regard to letter case, to slashes, spaces and dots at the end
 * (also of a segment), to what follows a NUL, and, as a second reading, to a file extension.
 */
public final class LenientPath {
    private LenientPath() {}

    /** Whether even the most lenient server has no other reading of this path. */
    public static boolean isPlain(String path) {
        char before = ' ';
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
            if (!letter && (c != '/' || before == '/')) return false;
            before = c;
        }
        return before != '/' || path.length() == 1;
    }

    /** The segments of this path in each of its lenient readings, in the form that {@link #folded} gives to a pattern. */
    public static List<String[]> readings(String path) {
        String twice = PathText.decoded(PathText.decoded(path));
        List<String> segments = new ArrayList<>();
        for (String segment : cut(twice).split("/", -1)) segments.add(folded(trimmed(utf8(segment))));
        while (segments.size() > 2 && segments.getLast().isEmpty()) segments.removeLast();
        String[] whole = segments.toArray(String[]::new);
        String last = segments.removeLast();
        int dot = last.lastIndexOf('.');
        if (dot <= 0) return List.<String[]>of(whole);
        segments.add(trimmed(last.substring(0, dot)));
        return List.of(whole, segments.toArray(String[]::new));
    }

    private static String cut(String path) {
        int nul = path.indexOf('\0');
        return nul < 0 ? path : path.substring(0, nul);
    }

    private static String trimmed(String segment) {
        int end = segment.length();
        while (end > 0 && (segment.charAt(end - 1) <= ' ' || segment.charAt(end - 1) == '.')) end--;
        return segment.substring(0, end);
    }

    /** What was decoded octet by octet. */
    private static String utf8(String octets) {
        for (int i = 0; i < octets.length(); i++)
            if (octets.charAt(i) > 0x7f)
                return new String(octets.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
        return octets;
    }

    /** The same for all spellings that some server takes for one: upper case first, for a long s is an S to many. */
    static String folded(String segment) {
        StringBuilder folded = new StringBuilder(segment.length());
        for (int i = 0; i < segment.length(); i++)
            folded.append(Character.toLowerCase(Character.toUpperCase(segment.charAt(i))));
        return folded.toString();
    }
}
