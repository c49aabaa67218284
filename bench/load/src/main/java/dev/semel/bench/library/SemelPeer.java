package dev.semel.bench.library;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.semel.bench.loop.LoopServer;
import dev.semel.core.Semel;
import dev.semel.core.claim.Claim;
import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.ClaimRequest;
import dev.semel.core.claim.Settlement;
import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.Outcome;
import dev.semel.store.jdbc.PostgresKeyStore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Semel as its peers are used: claim, run, complete. Arguments: the JDBC URL, how many callers, how many connections (not
 * taken: the store has its own default), and what stands in every key.
 */
public final class SemelPeer {
    private static final byte[] ANSWER = """
        {"id":"ch_3f9d2c7a41b84e6f","object":"charge","amount":1999,"currency":"eur","customer":"cus_7f3a9b21",\
        "status":"succeeded","captured":true,"created":1767225600,"receipt":"https://pay.example/r/3f9d2c7a4"}\
        """.getBytes(US_ASCII);

    private static final Fingerprint FINGERPRINT = Fingerprint.of(Fingerprint.Algorithm.REQUEST, new byte[32]);

    private SemelPeer() {}

    public static void main(String[] args) throws Exception {
        AtomicLong effects = new AtomicLong();
        try (PostgresKeyStore store = PostgresKeyStore.open(args[0]);
                Semel semel = Semel.on(store).start()) {
            LoopServer.serve(number -> charge(semel, args[3] + number, effects), effects, Integer.parseInt(args[1]));
        }
    }

    private static void charge(Semel semel, String key, AtomicLong effects) {
        KeyId id = KeyId.of("", "charge", key);
        switch (semel.claim(new ClaimRequest(id, FINGERPRINT, ClaimPolicy.DEFAULT))) {
            case Claim.Granted granted -> {
                effects.incrementAndGet();
                Settlement settled = granted.lease().complete(Outcome.of(ANSWER));
                if (!(settled instanceof Settlement.Accepted)) throw new IllegalStateException(settled.toString());
            }
            case Claim.AlreadyDone done -> {
                if (done.outcome().payload().length != ANSWER.length)
                    throw new IllegalStateException("Another answer.");
            }
            case Claim other -> throw new IllegalStateException(other.toString());
        }
    }
}
