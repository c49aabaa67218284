package dev.semel.http.service;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.http.Headers;
import dev.semel.http.HttpResponse;
import dev.semel.http.Problem;
import java.security.MessageDigest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who may use the service API. Immutable, for use by any thread. */
public final class ServiceAccess {
    private static final String SCHEME = "Bearer ";

    private final byte @Nullable [] token;
    private final @Nullable HttpResponse closed;

    private ServiceAccess(byte @Nullable [] token, @Nullable HttpResponse closed) {
        this.token = token;
        this.closed = closed;
    }

    /** Whoever reaches the listener; whose claims they are is another question. */
    public static ServiceAccess open() {
        return new ServiceAccess(null, null);
    }

    /** Whoever shows this token. */
    public static ServiceAccess with(String token) {
        return new ServiceAccess(token.getBytes(UTF_8), null);
    }

    /** @param advice why, and what to configure, as whole sentences */
    public static ServiceAccess closed(String advice) {
        return new ServiceAccess(null, Problem.serviceApiOff(advice));
    }

    /** Why a request is not answered; null when it is. */
    public @Nullable HttpResponse refusal(Headers headers) {
        if (closed != null) return closed;
        return token == null || shows(token, headers.all("Authorization")) ? null : Problem.serviceTokenWrong();
    }

    /** Takes as long for a token that is nearly right as for one that is not. */
    private static boolean shows(byte[] token, List<String> credentials) {
        if (credentials.size() != 1) return false;
        String shown = credentials.getFirst();
        if (!shown.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) return false;
        return MessageDigest.isEqual(
                token, shown.substring(SCHEME.length()).strip().getBytes(UTF_8));
    }
}
