package dev.semel.admin;

import static dev.semel.admin.AdminDesk.CHARGES;
import static dev.semel.admin.AdminDesk.KEYS;
import static dev.semel.admin.AdminDesk.detail;
import static dev.semel.admin.AdminDesk.list;
import static dev.semel.admin.AdminDesk.problem;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.Lease;
import dev.semel.core.store.ForwardingKeyStore;
import dev.semel.core.store.KeyIndex;
import dev.semel.core.store.KeyStore;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which keys the admin API lists, and what it does where a store can list none. */
class KeyListTest {
    private static Set<String> keys(Map<?, ?> page) {
        Set<String> keys = new HashSet<>();
        for (Object line : list(page, "keys")) keys.add((String) ((Map<?, ?>) line).get("key"));
        return keys;
    }

    private static Set<String> inState(AdminDesk desk, String words) {
        return keys(desk.get(KEYS + "?state=" + words));
    }

    @Test
    void keys_are_listed_by_the_state_they_count_as_now() {
        try (AdminDesk desk = AdminDesk.open()) {
            desk.done("spent");
            desk.time.advance(Duration.ofDays(1));
            desk.freed("free");
            desk.done("done");
            desk.doubt("doubt");
            desk.heldElsewhere("settle invoice", "silent");
            desk.time.advance(ClaimPolicy.DEFAULT.lease());
            desk.held("running");
            assertEquals(Set.of("doubt", "silent", "running"), keys(desk.get(KEYS)), "what is not settled");
            assertEquals(Set.of("running"), inState(desk, "in-progress"));
            assertEquals(Set.of("doubt", "silent"), inState(desk, "in-doubt"));
            assertEquals(Set.of("free"), inState(desk, "free"));
            assertEquals(Set.of("done"), inState(desk, "done"));
            assertEquals(Set.of("spent"), inState(desk, "spent"));
            assertEquals(Set.of("done", "spent", "running"), inState(desk, "done,spent,in-progress"));
        }
    }

    @Test
    void a_line_tells_enough_to_act_on_the_key() {
        try (AdminDesk desk = AdminDesk.open()) {
            Lease lease = desk.held("acme", CHARGES, "k");
            Map<?, ?> line = (Map<?, ?>) list(desk.get(KEYS), "keys").getFirst();
            Map<String, Object> expected = new HashMap<>();
            expected.put("tenant", "acme");
            expected.put("operation", CHARGES);
            expected.put("key", "k");
            expected.put("state", "in-progress");
            expected.put("token", lease.token());
            expected.put("attempt", 1);
            expected.put("since", desk.time.instant().toString());
            assertEquals(expected, line);
        }
    }

    @Test
    void pages_hold_every_key_once_and_the_last_names_no_next() {
        try (AdminDesk desk = AdminDesk.open()) {
            Set<String> doubts = new HashSet<>();
            for (int i = 0; i < 7; i++) {
                desk.doubt("d" + i);
                desk.held("running" + i);
                doubts.add("d" + i);
            }
            Set<String> seen = new HashSet<>();
            String after = "";
            int pages = 0;
            while (after != null) {
                Map<?, ?> page = desk.get(KEYS + "?state=in-doubt&limit=3" + after);
                pages++;
                assertTrue(list(page, "keys").size() <= 3, page.toString());
                for (String key : keys(page)) assertTrue(seen.add(key), key);
                Object next = page.get("next");
                after = next == null ? null : "&after=" + URLEncoder.encode((String) next, UTF_8);
            }
            assertEquals(doubts, seen);
            assertTrue(pages >= 3, "pages " + pages);
            assertNull(desk.get(KEYS + "?limit=1000").get("next"));
        }
    }

    @Test
    void the_keys_of_one_tenant_are_listed_alone() {
        try (AdminDesk desk = AdminDesk.open()) {
            desk.held("acme", CHARGES, "theirs");
            desk.held("ours");
            assertEquals(Set.of("theirs"), keys(desk.get(KEYS + "?tenant=acme")));
            assertEquals(Set.of("ours"), keys(desk.get(KEYS + "?tenant=")));
            assertEquals(Set.of(), keys(desk.get(KEYS + "?tenant=nobody")));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"limit=0", "limit=1001", "limit=-1", "limit=many", "state=odd", "state=", "stat=done"})
    void a_filter_that_means_nothing_is_refused(String query) {
        try (AdminDesk desk = AdminDesk.open()) {
            assertEquals("bad-request", problem(desk.get(400, KEYS + "?" + query)));
        }
    }

    /** Like the stores that know a key by its name and nothing else. */
    private static final class WithoutIndex extends ForwardingKeyStore {
        WithoutIndex(KeyStore store) {
            super(store);
        }

        @Override
        public @Nullable KeyIndex index() {
            return null;
        }
    }

    @Test
    void a_store_that_cannot_list_says_so_and_finds_keys_by_name() {
        try (AdminDesk desk = AdminDesk.behind(WithoutIndex::new)) {
            desk.doubt("k");
            desk.held("acme", "settle invoice", "theirs");
            Map<?, ?> refused = desk.get(400, KEYS);
            assertEquals("bad-request", problem(refused));
            assertTrue(
                    detail(refused).contains("this store cannot list keys; look one up by its name"), detail(refused));

            assertEquals("in-doubt", desk.get(KEYS + "/k").get("state"), "under an operation that is known");
            assertEquals(
                    "in-progress",
                    desk.get(KEYS + "/theirs?operation=settle%20invoice&tenant=acme")
                            .get("state"));
            desk.post(200, KEYS + "/k/resolve", "{\"did\":\"not-happen\",\"reason\":\"r\"}");
            assertEquals("free", desk.get(KEYS + "/k").get("state"));
        }
    }

    @Test
    void a_store_that_cannot_list_is_not_said_to_have_too_many_keys() {
        try (AdminDesk desk = AdminDesk.behind(WithoutIndex::new)) {
            desk.held("acme", "settle invoice", "theirs");
            for (String query : new String[] {"", "?operation=settle%20invoice", "?tenant=acme"}) {
                Map<?, ?> unknown = desk.get(404, KEYS + "/theirs" + query);
                assertEquals("key-unknown", problem(unknown));
                assertFalse(detail(unknown).contains("too many keys"), detail(unknown));
                assertTrue(detail(unknown).contains("cannot list keys"), detail(unknown));
            }
            String named = detail(desk.get(404, KEYS + "/theirs?operation=settle&tenant=acme"));
            assertTrue(named.startsWith("This operation has no such key"), named);
        }
    }
}
