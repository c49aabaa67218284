package dev.semel.core.quota;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.ClaimRequest;
import dev.semel.core.claim.Quotas;
import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.KeyId;
import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.core.quota.TenantQuotas.Entry;
import dev.semel.core.quota.TenantQuotas.Permit;
import dev.semel.core.quota.TenantQuotas.Write;
import dev.semel.core.store.ForwardingKeyIndex;
import dev.semel.core.store.StoreException;
import dev.semel.core.time.HandTime;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TenantQuotasTest {
    private static final Fingerprint ASKED = Fingerprint.of(Fingerprint.Algorithm.VALUE, new byte[] {1});
    private static final ClaimRequest REQUEST = of("tenant");

    private final HandTime time = new HandTime();
    private long kept;
    private int counts;
    private int prepared;
    private @Nullable StoreException failure;
    private final ForwardingKeyIndex index = new ForwardingKeyIndex(new InMemoryKeyStore(time.clock())) {
        @Override
        public long count(String tenant, long upTo) {
            counts++;
            if (failure != null) throw failure;
            return Math.min(kept, upTo);
        }

        @Override
        public void prepareToCount() {
            prepared++;
        }
    };

    private static ClaimRequest of(String tenant) {
        return new ClaimRequest(KeyId.of(tenant, "charge", "k"), ASKED, ClaimPolicy.DEFAULT);
    }

    private TenantQuotas quotas(Quotas quotas) {
        return new TenantQuotas(quotas, index, true, time);
    }

    private static Permit open(Entry entry) {
        return assertInstanceOf(Entry.Open.class, entry).permit();
    }

    private static String refused(Entry entry) {
        return assertInstanceOf(Entry.Refused.class, entry).answer().what();
    }

    @Test
    void a_place_that_is_given_back_twice_is_one_place() {
        TenantQuotas quotas = quotas(Quotas.NONE.withInFlight(2));
        Permit first = open(quotas.enter(REQUEST, Write.NEW));
        open(quotas.enter(REQUEST, Write.AGAIN));
        assertEquals("in-flight", refused(quotas.enter(REQUEST, Write.NEW)));
        assertEquals("in-flight", refused(quotas.enter(REQUEST, Write.AGAIN)));
        first.giveBack();
        first.giveBack();
        first.close();
        open(quotas.enter(REQUEST, Write.NEW));
        assertEquals("in-flight", refused(quotas.enter(REQUEST, Write.NEW)));
        open(quotas.enter(of("other"), Write.NEW));
    }

    @Test
    void closing_gives_a_place_back_unless_it_is_kept() {
        TenantQuotas quotas = quotas(Quotas.NONE.withInFlight(1));
        open(quotas.enter(REQUEST, Write.NEW)).close();
        Permit kept = open(quotas.enter(REQUEST, Write.NEW)).keep();
        kept.close();
        assertEquals("in-flight", refused(quotas.enter(REQUEST, Write.NEW)));
        kept.giveBack();
        open(quotas.enter(REQUEST, Write.NEW));
    }

    @Test
    void who_is_refused_for_its_keys_gives_its_place_back() {
        TenantQuotas quotas = quotas(Quotas.NONE.withInFlight(1).withKeys(5));
        kept = 5;
        for (int i = 0; i < 3; i++) assertEquals("keys", refused(quotas.enter(REQUEST, Write.NEW)));
        for (int i = 0; i < 3; i++) assertInstanceOf(Entry.LookFirst.class, quotas.enter(REQUEST, Write.PERHAPS_NEW));
        kept = 4;
        open(quotas.enter(REQUEST, Write.NEW));
    }

    @Test
    void a_count_that_fails_gives_the_place_back() {
        TenantQuotas quotas = quotas(Quotas.NONE.withInFlight(1).withKeys(5));
        failure = StoreException.notApplied("down", null);
        for (int i = 0; i < 3; i++)
            assertSame(failure, assertThrows(StoreException.class, () -> quotas.enter(REQUEST, Write.NEW)));
        failure = null;
        open(quotas.enter(REQUEST, Write.NEW));
    }

    @Test
    void what_may_be_a_duplicate_is_looked_at_first_and_never_refused() {
        TenantQuotas quotas = quotas(Quotas.NONE.withInFlight(1).withKeys(5));
        kept = 5;
        assertInstanceOf(Entry.LookFirst.class, quotas.enter(REQUEST, Write.PERHAPS_NEW));
        assertEquals(0, counts, "nobody counts for what may be a duplicate");
        open(quotas.enter(REQUEST, Write.AGAIN));
        assertInstanceOf(Entry.LookFirst.class, quotas.enter(REQUEST, Write.PERHAPS_NEW), "all places taken");
    }

    @Test
    void with_plenty_left_what_may_be_new_is_let_in_by_the_last_count() {
        TenantQuotas quotas = quotas(Quotas.NONE.withKeys(1000));
        open(quotas.enter(REQUEST, Write.NEW));
        for (int i = 0; i < 100; i++) open(quotas.enter(REQUEST, Write.PERHAPS_NEW));
        assertEquals(1, counts);
    }

    @Test
    void another_claim_of_a_key_that_is_there_takes_a_place_but_no_key() {
        TenantQuotas quotas = quotas(Quotas.NONE.withInFlight(1).withKeys(5));
        kept = 5;
        open(quotas.enter(REQUEST, Write.AGAIN));
        assertEquals(0, counts);
        assertEquals("in-flight", refused(quotas.enter(REQUEST, Write.AGAIN)));
    }

    @Test
    void remote_claims_take_no_place_but_do_take_a_key() {
        TenantQuotas quotas = quotas(Quotas.NONE.withInFlight(1).withKeys(20));
        for (int i = 0; i < 3; i++) open(quotas.enter(REQUEST.forRemoteHolder(), Write.NEW));
        Permit here = open(quotas.enter(REQUEST, Write.NEW));
        open(quotas.enter(REQUEST.forRemoteHolder(), Write.NEW)).giveBack();
        assertEquals("in-flight", refused(quotas.enter(REQUEST, Write.NEW)), "a remote claim has none to give back");
        here.close();
        kept = 20;
        time.advance(Duration.ofMinutes(1));
        assertEquals("keys", refused(quotas.enter(REQUEST.forRemoteHolder(), Write.NEW)));
    }

    @Test
    void keys_without_a_tenant_have_no_quota() {
        TenantQuotas quotas = quotas(Quotas.NONE.withInFlight(1).withKeys(1));
        kept = 1;
        for (int i = 0; i < 3; i++) open(quotas.enter(of(""), Write.NEW));
        assertEquals(0, counts);
    }

    @Test
    void a_store_that_cannot_count_is_refused_at_once_where_keys_are_limited() {
        Quotas limited = Quotas.NONE.withKeys(1);
        assertThrows(IllegalStateException.class, () -> new TenantQuotas(limited, null, true, time));
        assertThrows(IllegalStateException.class, () -> new TenantQuotas(limited, index, false, time));
        assertEquals(0, prepared);
        open(new TenantQuotas(Quotas.NONE.withInFlight(1), null, false, time).enter(REQUEST, Write.NEW));
        quotas(limited);
        assertEquals(1, prepared);
    }
}
