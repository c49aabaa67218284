package dev.semel.examples.payments;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What can be done at {@code /v1/charges}: make a charge, look for the charges of a key, list the latest. */
final class Charges {
    private static final int MAX_BODY = 64 * 1024;
    private static final int LISTED = 100;

    private final Ledger ledger;
    private final ServiceBehaviour behaviour;
    private final Consumer<Charge> made;

    Charges(Ledger ledger, ServiceBehaviour behaviour, Consumer<Charge> made) {
        this.ledger = ledger;
        this.behaviour = behaviour;
        this.made = made;
    }

    Answer answer(HttpExchange exchange) throws IOException {
        return switch (exchange.getRequestMethod()) {
            case "POST" -> charge(exchange);
            case "GET" -> find(exchange.getRequestURI().getRawQuery());
            default -> Answer.error(405, "method_not_allowed", "Use GET or POST.");
        };
    }

    private Answer charge(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readNBytes(MAX_BODY + 1);
        if (body.length > MAX_BODY) return Answer.error(413, "too_large", "The body is too large.");
        String key = unquoted(exchange.getRequestHeaders().getFirst("Idempotency-Key"));
        return switch (ChargeRequest.check(body)) {
            case ChargeRequest.Checked.Bad(int status, String code, String message) ->
                Answer.error(status, code, message);
            case ChargeRequest.Checked.Good(ChargeRequest request) -> charged(request, key);
        };
    }

    private Answer charged(ChargeRequest request, @Nullable String key) {
        if (!behaviour.work()) return Answer.none();
        Charge charge = charge(request, key);
        made.accept(charge);
        boolean lost = !behaviour.work() || ThreadLocalRandom.current().nextDouble() < behaviour.loses();
        return lost ? Answer.none() : new Answer(201, ChargeJson.charge(charge));
    }

    /** The same key may come as a structured string ({@code "abc"}) or bare ({@code abc}). */
    private static @Nullable String unquoted(@Nullable String key) {
        if (key == null || key.length() < 2 || !key.startsWith("\"") || !key.endsWith("\"")) return key;
        return key.substring(1, key.length() - 1).replaceAll("\\\\(.)", "$1");
    }

    private Charge charge(ChargeRequest request, @Nullable String key) {
        String id = "ch_" + UUID.randomUUID().toString().replace("-", "");
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        Charge charge = new Charge(id, request.amount(), request.currency(), request.customer(), key, now);
        try {
            ledger.append(charge);
        } catch (IOException e) {
            throw new UncheckedIOException("The ledger could not be written.", e);
        }
        return charge;
    }

    private Answer find(@Nullable String query) {
        String key = keyIn(query);
        if (key == null) return new Answer(200, ChargeJson.charges(ledger.size(), ledger.latest(LISTED)));
        List<Charge> found = ledger.withKey(key);
        if (found.isEmpty()) return Answer.error(404, "no_such_charge", "Nothing was charged under this key.");
        return new Answer(200, ChargeJson.charges(found.size(), found));
    }

    private static @Nullable String keyIn(@Nullable String query) {
        if (query == null) return null;
        for (String pair : query.split("&", -1)) {
            if (pair.startsWith("idempotency_key=")) return decoded(pair.substring("idempotency_key=".length()));
        }
        return null;
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }
}
