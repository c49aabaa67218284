package dev.semel.broker.nats;

/** Subjects of NATS: parts with dots between them, where {@code *} stands for one part and {@code >} for all that follow. */
final class Subjects {
    private Subjects() {}

    static boolean hasWildcard(String subject) {
        for (String part : subject.split("\\.", -1)) if (part.equals("*") || part.equals(">")) return true;
        return false;
    }

    /** Whether messages of this subject, which has no wildcards, are among those of the filter. */
    static boolean matches(String filter, String subject) {
        String[] wanted = filter.split("\\.", -1);
        String[] parts = subject.split("\\.", -1);
        for (int i = 0; i < wanted.length; i++) {
            if (i >= parts.length) return false;
            if (wanted[i].equals(">")) return true;
            if (!wanted[i].equals("*") && !wanted[i].equals(parts[i])) return false;
        }
        return wanted.length == parts.length;
    }
}
