package dev.semel.http.tenant;

import java.io.IOException;
import java.lang.System.Logger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Keys from a server. They are fetched when first needed, when they have grown old, and when a token names a key that
 * is not among them, though never twice within {@link #RETRY_INTERVAL}, whatever strangers send. While the server is out of
 * reach the last good keys stay in use.
 */
final class JwksUrl implements Jwks {
    static final Duration MAX_AGE = Duration.ofMinutes(10);
    static final Duration RETRY_INTERVAL = Duration.ofSeconds(10);

    private static final Logger LOG = System.getLogger(JwksUrl.class.getName());

    private final JwksFetch fetch;
    private final InstantSource clock;
    private final ReentrantLock fetching = new ReentrantLock();
    private volatile State state = new State(null, Instant.EPOCH, true);

    JwksUrl(URI url, Duration patience, InstantSource clock) {
        this.fetch = new JwksFetch(url, patience);
        this.clock = clock;
    }

    /** @param failed whether the last try did */
    private record State(@Nullable SigningKeys keys, Instant tried, boolean failed) {
        boolean isOlderThan(Duration age, Instant now) {
            // A clock that was set back must not put the next try off.
            return Duration.between(tried, now).abs().compareTo(age) >= 0;
        }
    }

    @Override
    public SigningKeys current() throws KeysUnavailableException {
        State known = state;
        if (known.keys() == null) waitAndLookAgain();
        else if (known.isOlderThan(known.failed() ? RETRY_INTERVAL : MAX_AGE, clock.instant())) tryToLookAgain();
        return keys();
    }

    /** One asks; the others go on with what there is. */
    private void tryToLookAgain() {
        if (!fetching.tryLock()) return;
        try {
            lookAgain();
        } finally {
            fetching.unlock();
        }
    }

    private SigningKeys keys() throws KeysUnavailableException {
        SigningKeys keys = state.keys();
        if (keys == null) throw new KeysUnavailableException("There are no keys yet.");
        return keys;
    }

    @Override
    public SigningKeys lookedForAgain() throws KeysUnavailableException {
        waitAndLookAgain();
        if (state.failed()) throw new KeysUnavailableException("The last fetch failed.");
        return keys();
    }

    /** Many may wait here for one fetch: whoever comes after it finds that it was only just now. */
    private void waitAndLookAgain() {
        fetching.lock();
        try {
            lookAgain();
        } finally {
            fetching.unlock();
        }
    }

    private void lookAgain() {
        Instant now = clock.instant();
        if (!state.isOlderThan(RETRY_INTERVAL, now)) return;
        SigningKeys known = state.keys();
        try {
            SigningKeys fresh = SigningKeys.parse(fetch.jwks());
            state = new State(known != null && known.areThoseOf(fresh) ? known : fresh, now, false);
        } catch (IOException e) {
            LOG.log(Logger.Level.WARNING, "The JWKS at {0} cannot be loaded: {1}", fetch.url(), e.getMessage());
            state = new State(known, now, true);
        }
    }
}
