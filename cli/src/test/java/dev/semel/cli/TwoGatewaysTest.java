package dev.semel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.testkit.postgres.PostgresServer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Two gateways in front of one upstream, on one database. */
class TwoGatewaysTest {
    private static final int KEYS = 10_000;
    private static final int COPIES = 4;
    private static final int CLIENTS = 128;

    /** Copies of a key are so close to each other that many are under way at once, through both gateways. */
    private static final int KEYS_SHUFFLED_TOGETHER = 200;

    @Test
    void copies_of_a_request_through_either_gateway_have_one_effect_and_one_answer() throws Exception {
        Random random = new Random(Seed.of("two gateways"));
        Map<String, String> answers = new ConcurrentHashMap<>();
        AtomicInteger replays = new AtomicInteger();
        AtomicInteger triedAgain = new AtomicInteger();
        try (TemporaryFolder folder = OpenStore.folder();
                PostgresServer database = OpenStore.postgres(folder);
                CountingUpstream upstream = CountingUpstream.start();
                GatewayProcess one = GatewayProcess.start(database.jdbcUrl(), upstream.url());
                GatewayProcess two = GatewayProcess.start(database.jdbcUrl(), upstream.url())) {
            Crowd.work(CLIENTS, List.of(one.port(), two.port()), copiesOfAllKeys(random), (client, key) -> {
                Answer answer = client.order(key);
                for (; answer.summary().equals("409 in-progress"); answer = client.order(key))
                    triedAgain.incrementAndGet();
                assertEquals(201, answer.status(), answer.text());
                if (answer.isReplay()) replays.incrementAndGet();
                String first = answers.putIfAbsent(key, answer.essence());
                if (first != null) assertEquals(first, answer.essence(), key);
            });
            assertEquals(KEYS, answers.size());
            assertEquals(KEYS * (COPIES - 1), replays.get(), "all but one copy of each key are replays");
            assertEquals(KEYS, upstream.effects());
            for (String key : answers.keySet()) assertEquals(1, upstream.effects(key), key);
            assertTrue(triedAgain.get() < KEYS, "waiting for the first copy is the rule, not " + triedAgain);
        }
    }

    private static List<String> copiesOfAllKeys(Random random) {
        List<String> all = new ArrayList<>(KEYS * COPIES);
        for (int first = 0; first < KEYS; first += KEYS_SHUFFLED_TOGETHER) {
            List<String> some = new ArrayList<>(KEYS_SHUFFLED_TOGETHER * COPIES);
            for (int i = 0; i < KEYS_SHUFFLED_TOGETHER; i++)
                some.addAll(Collections.nCopies(COPIES, "shared-" + (first + i)));
            Collections.shuffle(some, random);
            all.addAll(some);
        }
        return all;
    }
}
