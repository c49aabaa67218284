package dev.semel.gateway.config;

import org.jspecify.annotations.Nullable;

/**
 * What the file says about the service API.
 *
 * @param off whether it is turned off
 * @param token what a request must show; null for nothing
 */
public record ServiceSettings(boolean off, @Nullable String token) {
    /** Served where no stranger can reach it, or everybody says who he is. */
    public static final ServiceSettings DEFAULT = new ServiceSettings(false, null);

    public static final ServiceSettings OFF = new ServiceSettings(true, null);

    public static ServiceSettings withToken(String token) {
        return new ServiceSettings(false, token);
    }

    @Override
    public String toString() {
        return "ServiceSettings[off=" + off + ", token=" + (token == null ? "none" : "***") + "]";
    }
}
