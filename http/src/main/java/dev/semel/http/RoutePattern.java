package dev.semel.http;

import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * Which requests a route is for: {@code POST /v1/charges}, {@code PUT /v1/accounts/{id}}, {@code * /v1/**}. A name in
 * braces stands for one segment, {@code **} at the end for any rest. Segments are compared as a server behind the
 * gateway would read them, so that no spelling of a path slips past a route: percent-encoded letters count as letters.
 * Immutable, for use by any thread.
 */
public final class RoutePattern {
    /** In characters, of which a key's scope takes 1,024 bytes. */
    private static final int LONGEST_OPERATION = 1000;

    private static final int KEPT_OF_LONGER = 900;

    private final String method;
    private final String path;
    private final List<String> segments;
    private final List<String> folded;
    private final boolean open;
    private final boolean exact;

    private RoutePattern(String method, String path, boolean exact) {
        this.method = method;
        this.path = path;
        this.exact = exact;
        this.open = path.endsWith("/**");
        String fixed = open ? path.substring(0, path.length() - 3) : path;
        this.segments = List.of(fixed.split("/", -1));
        boolean slash = segments.size() > 2 && segments.getLast().isEmpty();
        this.folded = segments.stream()
                .limit(slash ? segments.size() - 1 : segments.size())
                .map(LenientPath::folded)
                .toList();
    }

    /** For a server that is known to take no other spelling of the path for this route. */
    public RoutePattern exact() {
        return new RoutePattern(method, path, true);
    }

    public boolean isExact() {
        return exact;
    }

    /** Whether it is written as the most lenient server reads it. */
    public boolean isPlain() {
        return folded.equals(segments);
    }

    /** @throws IllegalArgumentException with a sentence on what is wrong */
    public static RoutePattern parse(String text) {
        String[] parts = text.strip().split("\\s+", -1);
        if (parts.length != 2) throw wrong(text, "it must be a method and a path, such as 'POST /v1/charges'");
        if (!parts[0].matches("\\*|[A-Za-z]+")) throw wrong(text, "the method must be a word or *");
        String path = parts[1];
        if (!path.startsWith("/")) throw wrong(text, "the path must start with a slash");
        if (text.length() > LONGEST_OPERATION)
            throw wrong(text, "it is longer than " + LONGEST_OPERATION + " characters");
        if (!path.chars().allMatch(c -> c > ' ' && c < 0x7f))
            throw wrong(text, "only ASCII can stand in its path; a segment with other letters must be a {name}");
        if (path.contains("//")) throw wrong(text, "a path has no two slashes in a row");
        String fixed = path.endsWith("/**") ? path.substring(0, path.length() - 3) : path;
        for (String segment : fixed.split("/", -1)) {
            boolean name = segment.matches("\\{[A-Za-z0-9_-]+}");
            if (!name && segment.matches(".*[*{}?#%\\\\].*"))
                throw wrong(text, "'" + segment + "' is neither plain, nor a {name}, nor ** at the end");
            if (segment.equals(".") || segment.equals("..")) throw wrong(text, "a path has no dot segments");
        }
        return new RoutePattern(parts[0].toUpperCase(Locale.ROOT), path, false);
    }

    private static IllegalArgumentException wrong(String text, String why) {
        return new IllegalArgumentException("'" + text + "' is not a route: " + why);
    }

    public boolean matches(String method, String path) {
        return matches(method, PathText.segments(path));
    }

    /** @param asked the path as {@link PathText#segments} divides it, so that many patterns can share the work */
    public boolean matches(String method, String[] asked) {
        return isFor(method) && fits(segments, asked);
    }

    /**
     * Whether a lenient server may take a request for one of this route. One with an {@link #exact} path has no such server
     * behind it.
     *
     * @param reading one that {@link LenientPath#readings} gives
     */
    public boolean mayMatch(String method, String[] reading) {
        return !exact && isFor(method) && fits(folded, reading);
    }

    private boolean isFor(String method) {
        return this.method.equals("*") || this.method.equals(method);
    }

    private boolean fits(List<String> segments, String[] asked) {
        if (open ? asked.length < segments.size() : asked.length != segments.size()) return false;
        for (int i = 0; i < segments.size(); i++) {
            String segment = segments.get(i);
            boolean fits = segment.startsWith("{") ? !asked[i].isEmpty() : segment.equals(asked[i]);
            if (!fits) return false;
        }
        return true;
    }

    /** The method of the requests, or {@code *} for any. */
    public String method() {
        return method;
    }

    /**
     * Whether this matches every request that the other matches. Several patterns together cover no more than one of
     * them does: a name, a method of {@code *} and any rest stand for values that no list of others can exhaust.
     */
    public boolean covers(RoutePattern other) {
        if (!method.equals("*") && !method.equals(other.method)) return false;
        if (!open && (other.open || other.segments.size() != segments.size())) return false;
        if (other.segments.size() < segments.size()) return false;
        for (int i = 0; i < segments.size(); i++) {
            String segment = segments.get(i);
            String theirs = other.segments.get(i);
            boolean covered = segment.startsWith("{") ? !theirs.isEmpty() : segment.equals(theirs);
            if (!covered) return false;
        }
        return true;
    }

    /**
     * The operation whose keys such a request uses. Of a path that is too long for the scope of a key the beginning
     * stands, and a digest for the whole.
     */
    public String operation(String method, String path) {
        String operation = method + " " + (open ? PathText.normal(path) : this.path);
        if (operation.length() <= LONGEST_OPERATION) return operation;
        PartsDigest digest = new PartsDigest();
        digest.part(operation);
        return operation.substring(0, KEPT_OF_LONGER) + "~" + HexFormat.of().formatHex(digest.sha256());
    }

    @Override
    public String toString() {
        return method + " " + path;
    }
}
