package dev.semel.store.redis;

import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreException.Applied;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import java.io.IOException;
import java.util.Locale;
import java.util.Set;

/** What a failed call may have left behind. Only what the server itself has said counts as certain. */
final class RedisFailures {
    /** What a server says before it has done anything; in a script, before its first write. */
    private static final Set<String> NOTHING_DONE = Set.of(
            "ASK",
            "BUSY",
            "CLUSTERDOWN",
            "CROSSSLOT",
            "LOADING",
            "MASTERDOWN",
            "MISCONF",
            "MOVED",
            "NOAUTH",
            "NOPERM",
            "NOREPLICAS",
            "NOSCRIPT",
            "OOM",
            "READONLY",
            "TRYAGAIN",
            "WRONGPASS",
            "WRONGTYPE");

    private static final Set<String> NOT_READY = Set.of("CLUSTERDOWN", "LOADING", "MASTERDOWN");

    private RedisFailures() {}

    /** Nobody took the connection, or a server that is not ready. Whatever else it says will not pass by itself. */
    static boolean isUnreachable(StoreException failure) {
        boolean noConnection = false;
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof RedisCommandExecutionException said) return NOT_READY.contains(code(said));
            noConnection |= cause instanceof RedisConnectionException || cause instanceof IOException;
        }
        return noConnection;
    }

    /** A server said no, or a proxy before it said something. */
    static StoreException refused(RedisCommandExecutionException failure) {
        String message = message(failure);
        return applied(failure) == Applied.NO
                ? StoreException.notApplied(message, failure)
                : StoreException.unknown(message, failure);
    }

    /** The same for what would have written nothing anyway. */
    static StoreException notRead(RedisCommandExecutionException failure) {
        return StoreException.notApplied(message(failure), failure);
    }

    private static String message(RedisCommandExecutionException failure) {
        return "Redis refused: " + said(failure) + "." + advice(code(failure));
    }

    static Applied applied(RedisCommandExecutionException failure) {
        boolean known = NOTHING_DONE.contains(code(failure)) || isElsewhere(failure);
        return known ? Applied.NO : Applied.UNKNOWN;
    }

    /** The first word of what was said, in capitals if it is a code. */
    static String code(RedisCommandExecutionException failure) {
        String said = said(failure);
        int end = said.indexOf(' ');
        return end < 0 ? said : said.substring(0, end);
    }

    static String said(RedisCommandExecutionException failure) {
        return String.valueOf(failure.getMessage());
    }

    /** Whether a script met a key that has been moved away already, while its record has not. */
    static boolean isElsewhere(RedisCommandExecutionException failure) {
        return said(failure).toLowerCase(Locale.ROOT).contains("script attempted to access a non local key");
    }

    private static String advice(String code) {
        return switch (code) {
            case "OOM" ->
                " Nothing was written. It has reached maxmemory: give it more, or keep outcomes for less long.";
            case "READONLY" ->
                " Nothing was written. It is a replica, or has become one: connect through Sentinel or Cluster, or to"
                        + " the master.";
            case "MISCONF" ->
                " Nothing was written. It cannot write to its disk: look at its log, and at the space left.";
            case "LOADING" ->
                " Nothing was written. It is reading its data after a start, and will answer when it is done.";
            case "CLUSTERDOWN" ->
                " Nothing was written. The cluster has no master for some slots; it will answer when a replica has"
                        + " taken over, or the node is back.";
            case "TRYAGAIN", "MOVED", "ASK" ->
                " Nothing was written. The slot is being moved to another node; try again.";
            case "NOREPLICAS" -> " Nothing was written. It has fewer replicas than min-replicas-to-write asks for.";
            case "NOAUTH", "WRONGPASS" -> " Nothing was written. Check user and password in the store URL.";
            case "NOPERM" ->
                " Nothing was written. The user needs +@read +@write +@scripting +@connection +time +info, and the"
                        + " keys and channels of the prefix.";
            case "BUSY" -> " Nothing was written. A script of someone else's keeps it busy.";
            default -> "";
        };
    }
}
