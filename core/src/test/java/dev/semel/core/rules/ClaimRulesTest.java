package dev.semel.core.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.claim.Claim;
import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.ClaimRequest;
import dev.semel.core.claim.Probe;
import dev.semel.core.claim.ProbePlan;
import dev.semel.core.claim.Resolution;
import dev.semel.core.claim.ResolveAnswer;
import dev.semel.core.claim.Settlement;
import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.Guarantee;
import dev.semel.core.key.History;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Outcome;
import dev.semel.core.store.Change;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Next;
import dev.semel.core.store.Ruling;
import dev.semel.core.store.Seen;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The table of the life of a key, row by row and column by column. */
class ClaimRulesTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant BEFORE = NOW.minusSeconds(60);
    private static final Instant LATER = NOW.plusSeconds(60);
    private static final Instant MUCH_LATER = NOW.plusSeconds(600);
    private static final long TOKEN = 7;
    private static final KeyId ID = KeyId.of("t", "POST /v1/charges", "k");
    private static final Fingerprint ASKED = Fingerprint.of(Fingerprint.Algorithm.REQUEST, new byte[] {1});
    private static final Outcome OUTCOME = Outcome.of(new byte[] {1});
    private static final Outcome OTHER_OUTCOME = Outcome.of(new byte[] {2});
    private static final ClaimPolicy ONCE = ClaimPolicy.DEFAULT;
    private static final ClaimPolicy AGAIN = ONCE.withGuarantee(Guarantee.AT_LEAST_ONCE);

    private static final KeyState LIVE = new KeyState.Held("h", LATER);
    private static final KeyState SILENT = new KeyState.Held("h", NOW);
    private static final KeyState SILENT_AGAIN = new KeyState.Held("h", NOW, Guarantee.AT_LEAST_ONCE);
    private static final KeyState FREE = new KeyState.Free(LATER);
    private static final KeyState DONE = new KeyState.Done(OUTCOME, LATER, MUCH_LATER);
    private static final KeyState PAST_RETENTION = new KeyState.Done(OUTCOME, NOW, LATER);
    private static final KeyState IN_DOUBT = new KeyState.InDoubt("?", 0, BEFORE);
    private static final KeyState SPENT = new KeyState.Spent(BEFORE, LATER);
    private static final List<KeyState> FORGOTTEN =
            List.of(new KeyState.Free(NOW), new KeyState.Spent(BEFORE, NOW), new KeyState.Done(OUTCOME, BEFORE, NOW));

    private static KeyRecord record(KeyState state) {
        return new KeyRecord(ID, ASKED, TOKEN, 3, 20, BEFORE, state);
    }

    private static Ruling<Claim> claim(KeyState state, ClaimPolicy policy) {
        return ClaimRules.onClaim(new Seen(record(state), NOW), new ClaimRequest(ID, ASKED, policy), "me");
    }

    private static <A> A answer(Ruling<A> ruling) {
        assertInstanceOf(Ruling.Answer.class, ruling);
        return ((Ruling.Answer<A>) ruling).answer();
    }

    private static Change change(Ruling<?> ruling) {
        return assertInstanceOf(Ruling.Become.class, ruling).change();
    }

    private static void granted(Ruling<Claim> ruling, long token, int attempt, Fingerprint fingerprint) {
        granted(ruling, token, attempt, fingerprint, ONCE);
    }

    private static void granted(
            Ruling<Claim> ruling, long token, int attempt, Fingerprint fingerprint, ClaimPolicy policy) {
        Change change = change(ruling);
        assertEquals(new Next.Held("me", policy.lease(), policy.guarantee(), null), change.next());
        assertEquals(token, change.token());
        assertEquals(attempt, change.attempt());
        assertEquals(fingerprint, change.fingerprint());
    }

    @Test
    void a_freed_key_is_granted_with_the_next_token() {
        granted(claim(FREE, ONCE), TOKEN + 1, 4, ASKED);
        granted(claim(FREE, AGAIN), TOKEN + 1, 4, ASKED, AGAIN);
    }

    @Test
    void another_fingerprint_is_a_mismatch_in_every_state() {
        ClaimRequest other = new ClaimRequest(ID, Fingerprint.of(Fingerprint.Algorithm.PAYLOAD, new byte[] {1}), ONCE);
        for (KeyState state : List.of(LIVE, SILENT, FREE, DONE, PAST_RETENTION, IN_DOUBT, SPENT))
            assertEquals(
                    new Claim.Mismatched(),
                    answer(ClaimRules.onClaim(new Seen(record(state), NOW), other, "me")),
                    state::toString);
    }

    @Test
    void a_live_lease_is_in_progress_and_a_silent_one_is_judged_by_the_guarantee() {
        assertEquals(
                BEFORE,
                assertInstanceOf(Claim.InProgress.class, answer(claim(LIVE, ONCE)))
                        .since());
        assertInstanceOf(Claim.InProgress.class, answer(claim(LIVE, AGAIN)));
        Change doubted = change(claim(SILENT, ONCE));
        assertInstanceOf(Next.InDoubt.class, doubted.next());
        assertEquals(TOKEN, doubted.token());
        granted(claim(SILENT_AGAIN, AGAIN), TOKEN + 1, 4, ASKED, AGAIN);
    }

    @Test
    void a_silent_holder_and_its_successor_must_both_agree_to_a_second_run() {
        for (ClaimPolicy policy : List.of(ONCE, AGAIN))
            assertInstanceOf(Next.InDoubt.class, change(claim(SILENT, policy)).next());
        assertInstanceOf(Next.InDoubt.class, change(claim(SILENT_AGAIN, ONCE)).next());
    }

    @Test
    void a_silent_holder_that_nobody_replaces_is_a_doubt_or_forgotten_in_the_end() {
        for (ClaimPolicy policy : List.of(ONCE, AGAIN))
            assertInstanceOf(
                    Next.InDoubt.class, change(silence(SILENT, NOW, policy)).next());
        assertInstanceOf(
                Next.InDoubt.class, change(silence(SILENT_AGAIN, NOW, ONCE)).next());
        assertEquals(false, answer(silence(LIVE, NOW, ONCE)));
        Instant kept = NOW.plus(AGAIN.retention());
        assertEquals(false, answer(silence(SILENT_AGAIN, kept.minusNanos(1), AGAIN)));
        assertEquals(
                new Next.Free(Duration.ZERO),
                change(silence(SILENT_AGAIN, kept, AGAIN)).next());
    }

    private static Ruling<Boolean> silence(KeyState state, Instant now, ClaimPolicy policy) {
        return ClaimRules.onExpiredLease(new Seen(record(state), now), policy);
    }

    @Test
    void what_has_ended_is_answered_and_left_alone() {
        assertEquals(new Claim.AlreadyDone(OUTCOME, BEFORE, LATER), answer(claim(DONE, ONCE)));
        assertEquals(new Claim.Spent(BEFORE), answer(claim(PAST_RETENTION, ONCE)));
        assertEquals(new Claim.Spent(BEFORE), answer(claim(SPENT, AGAIN)));
        assertEquals(new Claim.InDoubt(BEFORE, "?", TOKEN, null), answer(claim(IN_DOUBT, ONCE)));
        assertEquals(new Claim.InDoubt(BEFORE, "?", TOKEN, null), answer(claim(IN_DOUBT, AGAIN)));
    }

    @Test
    void a_forgotten_key_begins_a_new_life_above_its_old_token() {
        for (KeyState state : FORGOTTEN) {
            granted(claim(state, ONCE), NewKey.firstToken(NOW), 1, ASKED);
            KeyRecord ahead = new KeyRecord(ID, ASKED, Long.MAX_VALUE - 1, 3, 20, BEFORE, state);
            Ruling<Claim> ruling = ClaimRules.onClaim(new Seen(ahead, NOW), new ClaimRequest(ID, ASKED, ONCE), "me");
            granted(ruling, Long.MAX_VALUE, 1, ASKED);
        }
    }

    @Test
    void a_holder_may_complete_until_someone_else_is_let_in() {
        Next.Done done = new Next.Done(OUTCOME, ONCE.retention(), ONCE.tombstone());
        for (KeyState state : List.of(LIVE, SILENT, IN_DOUBT, FREE))
            assertEquals(
                    done,
                    change(ClaimRules.onComplete(record(state), TOKEN, OUTCOME, ONCE, NOW))
                            .next());
        assertInstanceOf(
                Settlement.Accepted.class, answer(ClaimRules.onComplete(record(DONE), TOKEN, OUTCOME, ONCE, NOW)));
        assertInstanceOf(
                Settlement.Superseded.class, answer(ClaimRules.onComplete(record(SPENT), TOKEN, OUTCOME, ONCE, NOW)));
        assertInstanceOf(
                Settlement.Superseded.class,
                answer(ClaimRules.onComplete(record(DONE), TOKEN, OTHER_OUTCOME, ONCE, NOW)));
    }

    @Test
    void only_a_hold_can_be_renewed_or_doubted_and_a_doubt_can_be_released_too() {
        assertEquals(
                new Next.Free(ONCE.retention()),
                change(ClaimRules.onRelease(record(LIVE), TOKEN, ONCE, NOW)).next());
        Change late = change(ClaimRules.onRelease(record(IN_DOUBT), TOKEN, ONCE, NOW));
        assertEquals(new Next.Free(ONCE.retention()), late.next(), "nothing was sent, whatever others feared");
        assertEquals(1, late.history().remarks().size());
        assertEquals(
                new Next.InDoubt("why"),
                change(ClaimRules.onDoubt(record(LIVE), TOKEN, "why", ONCE, NOW))
                        .next());
        assertEquals(
                new Next.Free(AGAIN.retention()),
                change(ClaimRules.onDoubt(record(SILENT_AGAIN), TOKEN, "why", AGAIN, NOW))
                        .next());
        assertEquals(
                new Next.InDoubt("why"),
                change(ClaimRules.onDoubt(record(LIVE), TOKEN, "why", AGAIN, NOW))
                        .next());
        Duration lease = Duration.ofSeconds(9);
        assertEquals(
                new Next.Held("h", lease, BEFORE),
                change(ClaimRules.onRenew(record(SILENT), TOKEN, lease)).next());
        assertInstanceOf(Settlement.Accepted.class, answer(ClaimRules.onRelease(record(FREE), TOKEN, ONCE, NOW)));
        for (ClaimPolicy policy : List.of(ONCE, AGAIN))
            assertInstanceOf(
                    Settlement.Accepted.class,
                    answer(ClaimRules.onDoubt(record(IN_DOUBT), TOKEN, "why", policy, NOW)),
                    "a doubt is ended by who knows, not by who doubts too");
        for (KeyState state : List.of(DONE, SPENT))
            assertInstanceOf(
                    Settlement.Superseded.class, answer(ClaimRules.onRelease(record(state), TOKEN, ONCE, NOW)));
        for (KeyState state : List.of(DONE, FREE, SPENT))
            assertInstanceOf(
                    Settlement.Superseded.class, answer(ClaimRules.onDoubt(record(state), TOKEN, "why", ONCE, NOW)));
        for (KeyState state : List.of(DONE, FREE, SPENT, IN_DOUBT))
            assertInstanceOf(Settlement.Superseded.class, answer(ClaimRules.onRenew(record(state), TOKEN, lease)));
    }

    @Test
    void any_other_token_changes_nothing_whatever_it_wants() {
        for (long token : new long[] {TOKEN - 1, TOKEN + 1, 0})
            for (KeyState state : List.of(LIVE, SILENT, FREE, DONE, IN_DOUBT, SPENT)) {
                assertInstanceOf(
                        Settlement.Superseded.class,
                        answer(ClaimRules.onComplete(record(state), token, OUTCOME, ONCE, NOW)));
                assertInstanceOf(
                        Settlement.Superseded.class, answer(ClaimRules.onRelease(record(state), token, ONCE, NOW)));
                assertInstanceOf(
                        Settlement.Superseded.class, answer(ClaimRules.onDoubt(record(state), token, "", ONCE, NOW)));
                assertInstanceOf(
                        Settlement.Superseded.class, answer(ClaimRules.onRenew(record(state), token, ONCE.lease())));
            }
        assertInstanceOf(Settlement.Superseded.class, answer(ClaimRules.onComplete(null, TOKEN, OUTCOME, ONCE, NOW)));
    }

    @Test
    void only_a_doubt_can_be_resolved_and_only_the_one_that_was_looked_at() {
        Resolution did = new Resolution.Completed(OUTCOME, ONCE.retention(), ONCE.tombstone());
        Resolution didNot = new Resolution.DidNotHappen(Duration.ofHours(1));
        assertEquals(
                new Next.Done(OUTCOME, ONCE.retention(), ONCE.tombstone()),
                change(ClaimRules.onResolve(record(IN_DOUBT), TOKEN, did, "ops", "seen", NOW))
                        .next());
        assertEquals(
                new Next.Free(Duration.ofHours(1)),
                change(ClaimRules.onResolve(record(IN_DOUBT), TOKEN, didNot, "ops", "seen", NOW))
                        .next());
        assertInstanceOf(
                ResolveAnswer.Refused.class,
                answer(ClaimRules.onResolve(record(IN_DOUBT), TOKEN + 1, did, "ops", "seen", NOW)));
        for (KeyState state : List.of(LIVE, SILENT, FREE, DONE, SPENT))
            assertInstanceOf(
                    ResolveAnswer.Refused.class,
                    answer(ClaimRules.onResolve(record(state), TOKEN, didNot, "ops", "seen", NOW)));
        assertInstanceOf(
                ResolveAnswer.Refused.class, answer(ClaimRules.onResolve(null, TOKEN, did, "ops", "seen", NOW)));
    }

    @Test
    void only_what_is_held_or_in_doubt_can_be_released_by_force_and_only_as_it_was_looked_at() {
        Duration keep = Duration.ofHours(1);
        for (KeyState state : List.of(LIVE, SILENT, IN_DOUBT)) {
            Change freed = change(ClaimRules.onForcedRelease(record(state), TOKEN, "ops", "it hangs", keep, NOW));
            assertEquals(new Next.Free(keep), freed.next());
            assertEquals(TOKEN, freed.token());
            assertEquals(1, freed.history().remarks().size());
            KeyRecord free = freed.after(record(state), NOW);
            assertInstanceOf(
                    Next.Done.class,
                    change(ClaimRules.onComplete(free, TOKEN, OUTCOME, ONCE, NOW))
                            .next());
            granted(
                    ClaimRules.onClaim(new Seen(free, NOW), new ClaimRequest(ID, ASKED, ONCE), "me"),
                    TOKEN + 1,
                    4,
                    ASKED);
        }
        for (KeyState state : List.of(FREE, DONE, SPENT))
            assertInstanceOf(
                    ResolveAnswer.Refused.class,
                    answer(ClaimRules.onForcedRelease(record(state), TOKEN, "ops", "it hangs", keep, NOW)));
        assertInstanceOf(
                ResolveAnswer.Refused.class,
                answer(ClaimRules.onForcedRelease(record(LIVE), TOKEN - 1, "ops", "it hangs", keep, NOW)));
        assertInstanceOf(
                ResolveAnswer.Refused.class,
                answer(ClaimRules.onForcedRelease(null, TOKEN, "ops", "it hangs", keep, NOW)));
    }

    @Test
    void ids_keep_their_parts_apart() {
        assertTrue(!KeyId.of("a", "b", "c").equals(KeyId.of("", "ab", "c")));
        assertTrue(!Arrays.equals(
                KeyId.of("a", "b", "c").digest(), KeyId.of("ab", "c", "c").digest()));
    }

    private static final ClaimPolicy PROBED = ONCE.withProbe(new ProbePlan(
            (id, memo) -> new Probe.Finding.StillUnknown("?"),
            Duration.ofSeconds(2),
            Duration.ofSeconds(5),
            Duration.ofSeconds(1),
            Duration.ofSeconds(3),
            10));

    @Test
    void a_probe_is_taken_by_one_asker_and_not_before_its_time() {
        ProbePlan plan = Objects.requireNonNull(PROBED.probe());
        Change asking = change(ClaimRules.onProbe(new Seen(record(IN_DOUBT), NOW), plan));
        assertEquals(new Next.InDoubt("?", 1, Duration.ofSeconds(5), BEFORE), asking.next());
        KeyRecord asked = asking.after(record(IN_DOUBT), NOW);
        assertEquals(false, answer(ClaimRules.onProbe(new Seen(asked, NOW.plusSeconds(4)), plan)));
        assertEquals(
                new Next.InDoubt("?", 2, Duration.ofSeconds(5), BEFORE),
                change(ClaimRules.onProbe(new Seen(asked, NOW.plusSeconds(5)), plan))
                        .next());
        for (KeyState state : List.of(LIVE, SILENT, FREE, DONE, SPENT))
            assertEquals(false, answer(ClaimRules.onProbe(new Seen(record(state), NOW), plan)));
    }

    @Test
    void a_finding_ends_the_doubt_or_puts_the_next_probe_off() {
        KeyRecord asked = record(new KeyState.InDoubt("?", 3, LATER));
        assertEquals(
                new Next.Done(OUTCOME, PROBED.retention(), PROBED.tombstone()),
                change(onFinding(asked, asked, new Probe.Finding.Happened(OUTCOME)))
                        .next());
        assertEquals(
                new Next.Free(PROBED.retention()),
                change(onFinding(asked, asked, new Probe.Finding.DidNotHappen()))
                        .next());
        assertEquals(
                new Next.InDoubt("?", 3, Duration.ofSeconds(3), BEFORE),
                change(onFinding(asked, asked, new Probe.Finding.StillUnknown("no")))
                        .next());
    }

    @Test
    void a_late_finding_counts_only_when_it_is_that_it_happened() {
        KeyRecord asked = record(new KeyState.InDoubt("?", 3, LATER));
        KeyRecord since = change(ClaimRules.onProbe(new Seen(asked, LATER), Objects.requireNonNull(PROBED.probe())))
                .after(asked, LATER);
        change(onFinding(since, asked, new Probe.Finding.Happened(OUTCOME)));
        assertEquals(false, answer(onFinding(since, asked, new Probe.Finding.DidNotHappen())));
        assertEquals(false, answer(onFinding(since, asked, new Probe.Finding.StillUnknown("no"))));
        for (KeyState state : List.of(LIVE, SILENT, FREE, DONE, SPENT))
            assertEquals(false, answer(onFinding(record(state), asked, new Probe.Finding.Happened(OUTCOME))));
        assertEquals(false, answer(onFinding(null, asked, new Probe.Finding.DidNotHappen())));
    }

    private static Ruling<Boolean> onFinding(@Nullable KeyRecord record, KeyRecord asked, Probe.Finding finding) {
        return ClaimRules.onFinding(record, asked, finding, PROBED, NOW);
    }

    @Test
    void the_first_probe_waits_for_what_may_still_be_on_its_way() {
        KeyState longSilent = new KeyState.Held("h", BEFORE);
        assertEquals(
                new Next.InDoubt(ClaimRules.LEASE_RAN_OUT, 0, Duration.ofSeconds(2), null),
                change(claim(SILENT, PROBED)).next());
        assertEquals(
                new Next.InDoubt(ClaimRules.LEASE_RAN_OUT, 0, Duration.ZERO, null),
                change(claim(longSilent, PROBED)).next());
        assertEquals(
                new Next.InDoubt("why", 0, Duration.ofSeconds(2), null),
                change(ClaimRules.onDoubt(record(LIVE), TOKEN, "why", PROBED, NOW))
                        .next());
    }

    @Test
    void what_ends_a_doubt_is_remarked_with_the_change() {
        Change late = change(ClaimRules.onComplete(record(IN_DOUBT), TOKEN, OUTCOME, ONCE, NOW));
        assertEquals(1, late.history().remarks().size());
        Resolution did = new Resolution.DidNotHappen(Duration.ofHours(1));
        Change resolved = change(ClaimRules.onResolve(record(IN_DOUBT), TOKEN, did, "ops", "asked the bank", NOW));
        assertEquals(
                List.of(new History.Remark(NOW, "ops", "it did not happen: asked the bank")),
                resolved.history().remarks());
        assertTrue(change(ClaimRules.onComplete(record(LIVE), TOKEN, OUTCOME, ONCE, NOW))
                .history()
                .isEmpty());
    }
}
