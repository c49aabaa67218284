package dev.semel.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.testkit.postgres.PostgresServer;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;

/** On PostgreSQL, also with leases and in steps. */
@ExtendWith(SharedServers.class)
class KilledShopTest extends KilledShop {
    private static final int LEASED_ROUNDS = Math.ceilDiv(ROUNDS, 2);
    private static final int STEPPED_ROUNDS = Math.ceilDiv(ROUNDS, 2);

    /** Keys without a sale, sales without a key, and keys with other than one sale, of all that there are. */
    private static final String UNEQUAL = """
        select coalesce(sold.name, kept.key), sold.count, kept.state
        from (select name, count(*) from sale where name like 'joined-%' group by name) as sold
        full join (select key, state from semel_key where operation = 'joined' and key like 'joined-%') as kept
            on kept.key = sold.name
        where sold.count is distinct from 1 or kept.state is distinct from 2
        """;

    private final PostgresServer server = SharedServers.of(PostgresVersion.V18);

    @Override
    String freshDatabase() throws SQLException {
        return Sql.freshDatabase(server);
    }

    @Override
    int port() {
        return server.port();
    }

    @Override
    List<String> unequal() throws SQLException {
        return sql.rows(UNEQUAL);
    }

    @Test
    void joined_effects_are_as_many_as_keys_wherever_a_process_dies() throws Exception {
        open(JoiningBug.NONE);
        for (int round = 0; round < ROUNDS; round++) joinedRound(round, any(CrashPoint.JOINED));
        assertEquals(List.of(), unequal());
    }

    @Test
    void effects_in_transactions_of_the_librarys_are_as_many_as_keys_too() throws Exception {
        open(JoiningBug.NONE);
        for (int round = 0; round < LEASED_ROUNDS; round++)
            joinedRound("transacted", round, any(CrashPoint.TRANSACTED));
        assertEquals(List.of(), unequal());
    }

    @Test
    void an_outcome_that_is_durable_before_its_effect_is_caught() throws Exception {
        open(JoiningBug.OUTCOME_IN_ANOTHER_TRANSACTION);
        caught(() -> joinedRound(0, CrashPoint.RECORDED));
    }

    @Test
    void a_claim_without_a_lock_and_an_outcome_without_a_comparison_are_caught() throws Exception {
        open(JoiningBug.NO_LOCK_AND_NO_COMPARISON);
        caught(() -> {
            for (int round = 0; round < ROUNDS; round++) joinedRound(round, CrashPoint.EFFECT_DONE);
        });
    }

    private static void caught(Executable rounds) {
        String what = assertThrows(AssertionError.class, rounds).getMessage();
        assertTrue(what.startsWith("sales of joined-"), what);
    }

    @Test
    void leased_effects_are_never_more_than_keys_and_what_nobody_knows_is_in_doubt() throws Exception {
        open(JoiningBug.NONE);
        for (int round = 0; round < LEASED_ROUNDS; round++) leasedRound(round, any(CrashPoint.LEASED));
    }

    @Test
    void steps_that_were_noted_do_not_run_again_and_the_one_that_was_cut_off_keeps_its_downstream_key()
            throws Exception {
        open(JoiningBug.NONE);
        for (int round = 0; round < STEPPED_ROUNDS; round++) {
            boolean returned = random.nextBoolean();
            steppedRound(round, returned, any(returned ? CrashPoint.UNDONE_STEPS : CrashPoint.STEPPED));
        }
    }

    @Override
    List<String> recorded(String operation, String key, String receipt) throws SQLException {
        return sql.rows("select state, position(convert_to('" + receipt + "', 'UTF8') in outcome) > 0 from semel_key"
                + " where operation = '" + operation + "' and key = '" + key + "'");
    }

    private void leasedRound(int round, CrashPoint point) throws Exception {
        String key = "leased-" + round;
        ShopChild victim = children.removeFirst().awaitReady();
        ShopChild.Sale last = stop(victim, point, "leased", key);
        for (int i = random.nextInt(MOST_DUPLICATES + 1); i > 0; i--)
            take(key, sell(i % 2 == 0 ? null : children.getFirst(), "leased", key));
        kill(victim, key, last);

        letLeasesRunOut();
        String where = "round " + round + ", killed at " + point + ", seed " + SEED;
        for (int i = 0; i < 2; i++) {
            String said = sell(i == 0 ? children.getFirst() : null, "leased", key);
            assertTrue(said.startsWith("receipt ") || said.equals("in-doubt"), () -> said + ": " + where);
            take(key, said);
        }
        assertTrue(salesOf(key).size() <= 1, () -> "sold twice: " + where);
        switch (point) {
            case BEFORE_CLAIM, ANSWERING -> assertSold(key, where);
            case CLAIMED -> assertInDoubt(key, 0, where);
            case EFFECT_DONE -> assertInDoubt(key, 1, where);
            default -> {
                if (receipts.containsKey(key)) assertSold(key, where);
                else assertInDoubt(key, salesOf(key).size(), where);
            }
        }
    }

    /** As if the time of a lease had passed for the database: only the process that was killed has one. */
    private void letLeasesRunOut() throws SQLException {
        sql.execute("update semel_key set lease_until = now() - interval '1 second' where lease_until is not null");
    }

    private List<String> salesOf(String key) throws SQLException {
        return sql.rows("select receipt from sale where name = '" + key + "'");
    }

    private void assertSold(String key, String where) throws SQLException {
        assertEquals(1, salesOf(key).size(), where);
        assertEquals(Set.copyOf(salesOf(key)), receipts.get(key), where);
        assertEquals(List.of("2|t"), recorded("leased", key, salesOf(key).getFirst()), where);
    }

    private void assertInDoubt(String key, int sales, String where) throws SQLException {
        assertEquals(null, receipts.get(key), where);
        assertEquals(sales, salesOf(key).size(), where);
        assertEquals(List.of("3|null"), recorded("leased", key, "none"), where);
    }

    private void steppedRound(int round, boolean returned, CrashPoint point) throws Exception {
        String key = "stepped-" + round;
        String how = returned ? "returned" : "stepped";
        ShopChild victim = children.removeFirst().awaitReady();
        ShopChild.Sale last = stop(victim, point, how, key);
        kill(victim, key, last);
        letLeasesRunOut();
        for (int i = 0; i < 3; i++) {
            String said = sell(i == 0 ? children.getFirst() : null, how, key);
            assertTrue(said.startsWith("receipt "), said);
            take(key, said);
        }
        String where = "round " + round + ", killed at " + point + ", seed " + SEED;
        assertEquals(1, receipts.get(key).size(), where);
        List<String> all = returned
                ? List.of("pack", "send", "hand over", "undo hand over", "undo send", "undo pack")
                : List.of("pack", "send", "hand over");
        List<String> did = did(key, "what");
        assertEquals(all, did.stream().distinct().toList(), where);
        List<String> again = repeated(did);
        switch (point) {
            case STEP_RUNNING, STEP_NOTED, UNDOING -> assertEquals(List.of(), again, where);
            case STEP_DONE -> assertEquals(List.of("send"), again, where);
            case UNDONE -> assertEquals(List.of("undo send"), again, where);
            // Where what was said did arrive, it may have gone on to the next.
            default -> assertTrue(again.size() <= 1, () -> again + ": " + where);
        }
        assertEquals(all.size(), new TreeSet<>(did(key, "downstream")).size(), () -> "downstream keys: " + where);
        List<String> tokens = did(key, "token");
        assertEquals(tokens.stream().sorted().toList(), tokens, where);
        if (!point.onTheWire) assertEquals(2, new TreeSet<>(tokens).size(), where);
    }

    private List<String> did(String key, String column) throws SQLException {
        return sql.rows("select " + column + " from did where name = '" + key + "' order by number");
    }

    private static List<String> repeated(List<String> all) {
        List<String> rest = new ArrayList<>(all);
        for (String each : new TreeSet<>(all)) rest.remove(each);
        return rest;
    }
}
