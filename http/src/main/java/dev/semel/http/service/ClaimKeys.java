package dev.semel.http.service;

import dev.semel.core.Semel;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.store.Seen;
import dev.semel.http.JsonOutcome;

/**
 * Under which key a claim is kept. Programs before names were kept apart left a claim that is named like a route among
 * the keys of requests. It stays there until it is forgotten, so that what ran before an upgrade does not run after it.
 */
final class ClaimKeys {
    private final Semel semel;

    ClaimKeys(Semel semel) {
        this.semel = semel;
    }

    /** @throws dev.semel.core.store.StoreException when the store does not answer */
    KeyId of(ClaimId claim, String tenant) {
        KeyId key = claim.of(tenant);
        if (key.operation().equals(claim.operation())) return key;
        KeyId earlier = KeyId.of(tenant, claim.operation(), claim.key());
        Seen seen = semel.find(earlier);
        KeyRecord record = seen == null ? null : seen.record().asOf(seen.now());
        return record != null && isClaim(record) ? earlier : key;
    }

    /** Requests leave neither. */
    private static boolean isClaim(KeyRecord record) {
        return record.remote() || (record.state() instanceof KeyState.Done done && JsonOutcome.isJson(done.outcome()));
    }
}
