package dev.semel.admin;

import java.util.Locale;
import java.util.regex.Pattern;

/** Names and addresses that mean this very machine. Judged by their text: nothing is looked up. */
public final class Loopback {
    private static final Pattern ADDRESS = Pattern.compile("127(?:\\.[0-9]{1,3}){3}|::1|0:0:0:0:0:0:0:1");
    private static final Pattern PORT = Pattern.compile(":[0-9]*$");

    private Loopback() {}

    /** @param host a name, or an address without brackets */
    public static boolean isHost(String host) {
        String lower = host.toLowerCase(Locale.ROOT);
        return lower.equals("localhost")
                || lower.endsWith(".localhost")
                || ADDRESS.matcher(lower).matches();
    }

    /** The same for what stands in a Host header: perhaps with brackets, perhaps with a port. */
    static boolean isAuthority(String authority) {
        if (!authority.startsWith("[")) return isHost(PORT.matcher(authority).replaceFirst(""));
        int close = authority.indexOf(']');
        String rest = close < 0 ? "?" : authority.substring(close + 1);
        return (rest.isEmpty() || PORT.matcher(rest).matches()) && isHost(authority.substring(1, close));
    }
}
