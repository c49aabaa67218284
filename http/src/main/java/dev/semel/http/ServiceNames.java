package dev.semel.http;

/**
 * Keeps the operations of the service API apart from those of requests. An operation of requests is a method and a path,
 * {@code POST /v1/charges}, and no method has a colon. So a name of the service API that could be one of those is kept
 * with {@code service:} in front, and every other name as it is.
 */
public final class ServiceNames {
    /** In front of a name, it says that the name is one of the service API's. */
    public static final String PREFIX = "service:";

    private ServiceNames() {}

    /**
     * Under which name the keys of an operation of the service API are kept.
     *
     * @param operation as it was claimed
     */
    public static String kept(String operation) {
        boolean needsPrefix = operation.startsWith(PREFIX) || isMethodAndPath(operation);
        return needsPrefix ? PREFIX + operation : operation;
    }

    /**
     * The same for a name that is asked about: of requests, or of the service API, there with or without the mark.
     *
     * @param operation as someone writes it down
     */
    public static String asked(String operation) {
        return operation.startsWith(PREFIX) ? kept(operation.substring(PREFIX.length())) : operation;
    }

    /** Whether keys that are kept under this name are not those of requests. */
    public static boolean isService(String kept) {
        return kept.startsWith(PREFIX) || !isMethodAndPath(kept);
    }

    private static boolean isMethodAndPath(String operation) {
        int space = operation.indexOf(' ');
        return space > 0 && operation.startsWith("/", space + 1);
    }
}
