package dev.semel.http.template;

import java.util.List;
import java.util.regex.Pattern;

/** What may stand between the placeholders of a path. */
final class PathLiterals {
    private static final Pattern IN_URL = Pattern.compile("(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*+");

    /** Dots and slashes that wait for a server to decode them, and to put them together with a value. */
    private static final Pattern DISGUISED = Pattern.compile("%(?:2[EeFf]|5[Cc])");

    private PathLiterals() {}

    static void check(TemplateText template) {
        String text = template.text();
        List<String> literals = template.literals();
        if (!literals.getFirst().startsWith("/") || text.startsWith("//"))
            throw new IllegalArgumentException("A path begins with one slash, not so: " + text);
        for (String literal : literals)
            if (!IN_URL.matcher(literal).matches())
                throw new IllegalArgumentException(
                        "There is something that cannot stand in a path or query unless percent-encoded, in: " + text);
        String path = path(String.join("_", literals));
        if (hasDotSegment(path) || DISGUISED.matcher(path).find())
            throw new IllegalArgumentException(
                    "A path has no dot segments, and no percent-encoded dots or slashes, not so: " + text);
    }

    /** Whether a piece of the path is . or .., as the most obliging server would cut it. */
    static boolean hasDotSegment(String target) {
        String path = path(target);
        int from = 0;
        for (int i = 0; i <= path.length(); i++) {
            if (i < path.length() && path.charAt(i) != '/' && path.charAt(i) != '\\') continue;
            if (isDots(path, from, i)) return true;
            from = i + 1;
        }
        return false;
    }

    private static boolean isDots(String path, int from, int to) {
        int end = from;
        while (end < to && path.charAt(end) == '.') end++;
        boolean whole = end == to || path.charAt(end) == ';';
        return whole && (end - from == 1 || end - from == 2);
    }

    private static String path(String target) {
        int query = target.indexOf('?');
        return query < 0 ? target : target.substring(0, query);
    }
}
