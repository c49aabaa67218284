package dev.semel.gateway.config;

import dev.semel.admin.Loopback;
import org.jspecify.annotations.Nullable;

/**
 * The listener for those who run the gateway.
 *
 * @param token what the admin API asks for; null for nothing, which is enough on this machine only
 */
public record AdminSettings(HostPort listen, @Nullable String token) {
    public static final AdminSettings DEFAULT = new AdminSettings(new HostPort("127.0.0.1", 8081), null);

    /** Whether nobody but this machine can connect. */
    public boolean isLocal() {
        return Loopback.isHost(listen.host());
    }

    /** Why a gateway must not be started like this; null when it may. */
    public @Nullable String flaw() {
        if (token != null || isLocal()) return null;
        return "the admin listener " + listen + " can be reached from other machines, and there is no admin token;"
                + " set 'admin: { token: ${SEMEL_ADMIN_TOKEN} }' or SEMEL_ADMIN_TOKEN, or listen on 127.0.0.1";
    }

    /**
     * A token as it can stand in a header.
     *
     * @throws IllegalArgumentException when it cannot; the message does not hold it
     */
    public static String token(String text) {
        if (text.isEmpty() || !text.chars().allMatch(c -> c > ' ' && c < 0x7f))
            throw new IllegalArgumentException("the admin token must be visible ASCII without spaces, and not empty");
        return text;
    }

    public AdminSettings withListen(HostPort listen) {
        return new AdminSettings(listen, token);
    }

    public AdminSettings withToken(String token) {
        return new AdminSettings(listen, token);
    }

    @Override
    public String toString() {
        return "AdminSettings[listen=" + listen + ", token=" + (token == null ? "none" : "***") + "]";
    }
}
