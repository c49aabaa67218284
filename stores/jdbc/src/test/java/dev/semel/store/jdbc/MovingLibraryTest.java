package dev.semel.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.semel.core.Semel;
import dev.semel.core.claim.Claim;
import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.ClaimRequest;
import dev.semel.core.claim.JoinedTransaction;
import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.Guarantee;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.Outcome;
import dev.semel.core.move.DualReadKeyStore;
import dev.semel.core.store.KeyStore;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A library that changes its database. The guide quotes it. */
class MovingLibraryTest extends OnEachPostgres {
    private static final ClaimRequest REQUEST = new ClaimRequest(
            KeyId.of("", "charge", "k"),
            Fingerprint.of(Fingerprint.Algorithm.REQUEST, new byte[] {1}),
            ClaimPolicy.DEFAULT.withWaitFor(Duration.ZERO));

    @Test
    void outcomes_are_found_in_the_database_before_and_no_transaction_is_joined() throws Exception {
        String oldUrl = freshDatabase();
        String newUrl = freshDatabase();
        try (KeyStore before = PostgresKeyStore.open(oldUrl);
                Semel first = Semel.on(before).start()) {
            Claim.Granted granted = assertInstanceOf(Claim.Granted.class, first.claim(REQUEST));
            granted.lease().complete(Outcome.of(new byte[] {7}));
        }

        KeyStore store = DualReadKeyStore.of(PostgresKeyStore.open(newUrl), PostgresKeyStore.open(oldUrl));
        Semel semel = Semel.on(store).start();

        try (store;
                semel;
                Connection connection = DriverManager.getConnection(newUrl)) {
            assertInstanceOf(Claim.AlreadyDone.class, semel.claim(REQUEST));
            connection.setAutoCommit(false);
            ClaimRequest joined = new ClaimRequest(
                    KeyId.of("", "charge", "joined"),
                    REQUEST.fingerprint(),
                    REQUEST.policy().withGuarantee(Guarantee.JOINED));
            assertThrows(
                    IllegalStateException.class, () -> semel.claim(joined, new JoinedTransaction(connection, false)));
        }
    }
}
