package dev.semel.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.http.Headers;
import dev.semel.http.HttpResponse;
import java.security.MessageDigest;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Who may use the admin API. With a token: whoever shows it. Without one: only this machine, and only who means it. A
 * web page in an operator's browser also speaks from this machine, so a request must name it (a page that had its own
 * name point here would not), and must not come from another site. Immutable, for use by any thread.
 */
public final class AdminAccess {
    private static final String BEARER = "bearer ";

    private final byte @Nullable [] token;
    private final boolean listensOnLoopback;

    /**
     * @param token what to ask for; null for nothing
     * @param listensOnLoopback whether only this machine can connect at all
     */
    public AdminAccess(@Nullable String token, boolean listensOnLoopback) {
        this.token = token == null ? null : token.getBytes(UTF_8);
        this.listensOnLoopback = listensOnLoopback;
    }

    /**
     * Why a request is not answered; null when it is.
     *
     * @param authority what the request calls this server: its Host, or its {@code :authority}; null for nothing
     */
    public @Nullable HttpResponse refusal(Headers headers, @Nullable String authority) {
        if (token != null) return shows(token, headers) ? null : AdminProblem.unauthorized();
        if (!listensOnLoopback) return AdminProblem.tokenNeeded();
        if (authority == null || !Loopback.isAuthority(authority)) return AdminProblem.foreignHost();
        for (String origin : headers.all("Origin")) if (!isOwn(origin, authority)) return AdminProblem.foreignOrigin();
        return null;
    }

    private static boolean shows(byte[] token, Headers headers) {
        List<String> shown = headers.all("Authorization");
        if (shown.size() != 1) return false;
        String credentials = shown.getFirst();
        if (!credentials.toLowerCase(Locale.ROOT).startsWith(BEARER)) return false;
        byte[] given = credentials.substring(BEARER.length()).strip().getBytes(UTF_8);
        return MessageDigest.isEqual(token, given);
    }

    private static boolean isOwn(String origin, String authority) {
        return origin.equalsIgnoreCase("http://" + authority) || origin.equalsIgnoreCase("https://" + authority);
    }
}
