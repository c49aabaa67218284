package dev.semel.http;

import java.util.ArrayDeque;
import java.util.Deque;

/** Paths as the server behind the gateway will read them. */
public final class PathText {
    private PathText() {}

    /**
     * Whether servers could read this path in more than one way: dot segments, plain or encoded, encoded slashes and
     * other delimiters ({@code %3A} for a colon), backslashes or NULs, empty segments, parameters, and broken
     * percent-encoding.
     */
    public static boolean isAmbiguous(String path) {
        if (path.contains("//") || path.indexOf('\\') >= 0 || path.indexOf(';') >= 0) return true;
        for (int i = path.indexOf('%'); i >= 0; i = path.indexOf('%', i + 1)) {
            int octet = octetAt(path, i);
            if (octet <= 0 || isDelimiter(octet)) return true;
        }
        for (String segment : normal(path).split("/", -1)) if (segment.equals(".") || segment.equals("..")) return true;
        return false;
    }

    /** Visible, and not the same encoded as plain: a strict server keeps them apart, a lenient one does not. */
    private static boolean isDelimiter(int octet) {
        return octet > ' ' && octet < 0x7f && !isUnreserved(octet);
    }

    /** What stands between the slashes, percent-encoded letters written plainly. */
    public static String[] segments(String path) {
        return normal(path).split("/", -1);
    }

    /** The path as the most obliging server would read it: everything decoded, parameters and dot segments worked off. */
    public static String decoded(String path) {
        StringBuilder plain = new StringBuilder(path.length());
        for (int i = 0; i < path.length(); i++) {
            int octet = path.charAt(i) == '%' ? octetAt(path, i) : -1;
            plain.append(octet < 0 ? path.charAt(i) : (char) octet);
            if (octet >= 0) i += 2;
        }
        Deque<String> segments = new ArrayDeque<>();
        for (String segment : plain.toString().replace('\\', '/').split("/", -1)) {
            int parameters = segment.indexOf(';');
            String name = parameters < 0 ? segment : segment.substring(0, parameters);
            if (name.equals("..")) segments.pollLast();
            else if (!name.isEmpty() && !name.equals(".")) segments.addLast(name);
        }
        boolean slash = path.endsWith("/") && !segments.isEmpty();
        return "/" + String.join("/", segments) + (slash ? "/" : "");
    }

    /**
     * The path as the resource that it names, whoever reads it: as {@link #decoded}, without what lenient servers pass over
     * at the end. Letter case stays, for the ids of many services need it.
     */
    static String resource(String path) {
        String decoded = decoded(path);
        int end = decoded.length();
        while (end > 1 && isTrimmed(decoded.charAt(end - 1))) end--;
        return decoded.substring(0, end);
    }

    private static boolean isTrimmed(char last) {
        return last <= ' ' || last == '.' || last == '/';
    }

    /** The path with percent-encoded unreserved characters (RFC 3986 §2.3) written plainly. */
    static String normal(String path) {
        int first = path.indexOf('%');
        if (first < 0) return path;
        StringBuilder plain = new StringBuilder(path.length());
        for (int i = 0; i < path.length(); i++) {
            int octet = path.charAt(i) == '%' ? octetAt(path, i) : -1;
            if (octet > 0 && isUnreserved(octet)) {
                plain.append((char) octet);
                i += 2;
            } else {
                plain.append(path.charAt(i));
            }
        }
        return plain.toString();
    }

    private static int octetAt(String path, int percent) {
        if (percent + 2 >= path.length()) return -1;
        int high = Character.digit(path.charAt(percent + 1), 16);
        int low = Character.digit(path.charAt(percent + 2), 16);
        return high < 0 || low < 0 ? -1 : high << 4 | low;
    }

    private static boolean isUnreserved(int octet) {
        return (octet >= 'a' && octet <= 'z')
                || (octet >= 'A' && octet <= 'Z')
                || (octet >= '0' && octet <= '9')
                || octet == '-'
                || octet == '.'
                || octet == '_'
                || octet == '~';
    }
}
