package dev.semel.broker.nats;

import dev.semel.messaging.broker.BrokerException;
import io.nats.client.AuthenticationException;
import io.nats.client.Connection;
import io.nats.client.ErrorListener;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One connection to NATS, as long as it lasts: it is never mended, because what a mended one still had in its buffers would be sent
 * at any later time. Safe for use by any thread.
 */
final class NatsLink {
    private static final Pattern DENIED =
            Pattern.compile("Permissions Violation for Publish to \"([^\"]*)\"", Pattern.CASE_INSENSITIVE);
    private static final Pattern REFUSED =
            Pattern.compile("authorization violation|authentication", Pattern.CASE_INSENSITIVE);
    private static final Duration PING = Duration.ofSeconds(5);

    private final Connection connection;
    private final Denials denials;

    private NatsLink(Connection connection, Denials denials) {
        this.connection = connection;
        this.denials = denials;
    }

    /** The user may not send to a subject. */
    static final class DeniedException extends IOException {
        DeniedException(String subject) {
            super("NATS does not allow this user to send to subject " + subject);
        }
    }

    /**
     * Returns within {@link NatsSettings#longestOpen}, whatever names, servers and networks do.
     *
     * @throws BrokerException when there is no connection by then
     */
    static NatsLink open(NatsSettings settings, String name) throws InterruptedException {
        CompletableFuture<Connection> opening = new CompletableFuture<>();
        Denials denials = new Denials(opening);
        Thread.ofVirtual().name("semel-nats-connect").start(() -> connect(settings, name, denials, opening));
        try {
            long nanos = settings.longestOpen().toNanos();
            return new NatsLink(opening.get(nanos, TimeUnit.NANOSECONDS), denials);
        } catch (TimeoutException e) {
            opening.cancel(false);
            throw new BrokerException(settings + " does not answer", e);
        } catch (ExecutionException e) {
            throw failure(settings, e.getCause());
        } catch (InterruptedException e) {
            opening.cancel(false);
            throw e;
        }
    }

    private static void connect(
            NatsSettings settings, String name, Denials denials, CompletableFuture<Connection> opening) {
        try {
            Connection connection = Nats.connect(options(settings, name, denials));
            // Nobody waits for it any more.
            if (!opening.complete(connection)) close(connection);
        } catch (InterruptedException | IOException | GeneralSecurityException | RuntimeException e) {
            opening.completeExceptionally(e);
        }
    }

    private static Options options(NatsSettings settings, String name, Denials denials)
            throws GeneralSecurityException {
        Options.Builder options = new Options.Builder()
                .servers(settings.servers().toArray(String[]::new))
                .connectionName(name)
                .connectionTimeout(settings.connectTimeout())
                .socketWriteTimeout(settings.connectTimeout().plus(settings.ackTimeout()))
                .pingInterval(PING)
                .requestCleanupInterval(settings.ackTimeout().plusSeconds(1))
                .maxMessagesInOutgoingQueue(0)
                .noReconnect()
                .hostnameResolveMode(Options.HostnameResolveMode.ResolveToFirst)
                .ignoreDiscoveredServers()
                .reportNoResponders()
                .errorListener(denials);
        if (settings.servers().getFirst().startsWith("tls://")) options.sslContext(HostCheckingTls.context());
        if (settings.credentials() != null)
            options.authHandler(Nats.credentials(settings.credentials().toString()));
        else if (settings.user() != null && settings.secret() != null)
            options.userInfo(settings.user(), settings.secret());
        else if (settings.secret() != null) options.token(settings.secret().toCharArray());
        return options.build();
    }

    private static BrokerException failure(NatsSettings settings, @Nullable Throwable cause) {
        if (cause instanceof AuthenticationException)
            return new BrokerException(settings + " refuses the credentials, or wants some", cause);
        String why = cause == null ? "" : ": " + cause.getMessage();
        return new BrokerException(settings + " cannot be reached" + why, cause);
    }

    Connection connection() {
        return connection;
    }

    boolean isOpen() {
        return connection.getStatus() == Connection.Status.CONNECTED;
    }

    /** Its answer; fails with {@link DeniedException} when the user may not send there, and is cancelled when the connection ends. */
    CompletableFuture<Message> request(Message message) {
        String subject = message.getSubject();
        int before = denials.of(subject);
        CompletableFuture<Message> answer;
        try {
            answer = connection.request(message);
        } catch (IllegalStateException e) {
            return CompletableFuture.failedFuture(e);
        }
        denials.watch(subject, answer, before);
        return answer;
    }

    /** At once: nothing is waited for, and nobody waits for anything any more. */
    void drop() {
        close(connection);
    }

    private static void close(Connection connection) {
        Thread.ofVirtual().name("semel-nats-close").start(() -> {
            try {
                connection.close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /** A request that waits for its answer; each is another one. */
    private static final class Watched {
        private final String subject;
        private final CompletableFuture<Message> answer;

        Watched(String subject, CompletableFuture<Message> answer) {
            this.subject = subject;
            this.answer = answer;
        }
    }

    /** A server tells of what it does not allow apart from any request. */
    private static final class Denials implements ErrorListener {
        private final CompletableFuture<Connection> opening;
        private final Set<Watched> all = ConcurrentHashMap.newKeySet();

        /** How often a subject was denied. */
        private final Map<String, Integer> told = new ConcurrentHashMap<>();

        Denials(CompletableFuture<Connection> opening) {
            this.opening = opening;
        }

        int of(String subject) {
            return told.getOrDefault(subject, 0);
        }

        /** @param before how often the subject was denied when nothing was sent yet: the word may come before anybody listens */
        void watch(String subject, CompletableFuture<Message> answer, int before) {
            Watched watched = new Watched(subject, answer);
            all.add(watched);
            if (of(subject) != before) answer.completeExceptionally(new DeniedException(subject));
            answer.handle((reply, failure) -> all.remove(watched)).exceptionally(failure -> false);
        }

        @Override
        public void errorOccurred(Connection connection, String error) {
            // The driver takes its time to say so.
            if (REFUSED.matcher(error).find()) opening.completeExceptionally(new AuthenticationException(error));
            Matcher denied = DENIED.matcher(error);
            if (!denied.find()) return;
            String subject = denied.group(1);
            told.merge(subject, 1, Integer::sum);
            for (Watched each : all)
                if (each.subject.equals(subject)) each.answer.completeExceptionally(new DeniedException(subject));
        }
    }
}
