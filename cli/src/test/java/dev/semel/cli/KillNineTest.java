package dev.semel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The gateway is killed with SIGKILL again and again while it is busy. */
class KillNineTest {
    private static final int KILLS = 3;
    private static final int CLIENTS = 24;

    @ParameterizedTest
    @EnumSource
    void what_was_answered_before_kill_9_is_answered_the_same_after_it(OpenStore.Kind kind) throws Exception {
        long seed = Seed.of("kill -9 on " + kind);
        Random random = new Random(seed);
        try (OpenStore store = kind.open();
                CountingUpstream upstream = CountingUpstream.start(AssortedAnswers::answer);
                GatewayProcess gateway = GatewayProcess.start(store.url(), upstream.url(), shortLease(store));
                Traffic traffic = new Traffic(gateway.port(), seed)) {
            for (int kill = 0; kill < KILLS; kill++) {
                traffic.begin(CLIENTS);
                traffic.awaitAnswered(1 + random.nextInt(600));
                Await.pause(random.nextLong(20_000_000));
                gateway.kill9();
                traffic.awaitEnd();
                gateway.restart();
                allAreReplayed(traffic.answered(), gateway.port());
            }
            List<String> cut = traffic.unanswered();
            assertFalse(cut.isEmpty(), "nobody was waiting for an answer when the gateway died");
            Map<String, Answer> late = finalAnswers(cut, gateway.port());
            for (String key : traffic.answered().keySet()) assertEquals(1, upstream.effects(key), key);
            late.forEach((key, answer) -> ranOnceOrNobodyKnows(key, answer, upstream.effects(key)));
            allAreReplayed(traffic.answered(), gateway.port());
        }
    }

    @Test
    void a_second_gateway_answers_for_the_dead_one() throws Exception {
        long seed = Seed.of("kill -9 of one of two");
        Random random = new Random(seed);
        try (OpenStore store = OpenStore.Kind.POSTGRES.open();
                CountingUpstream upstream = CountingUpstream.start(AssortedAnswers::answer);
                GatewayProcess dies = GatewayProcess.start(store.url(), upstream.url(), shortLease(store));
                GatewayProcess lives = GatewayProcess.start(store.url(), upstream.url(), shortLease(store));
                Traffic traffic = new Traffic(dies.port(), seed)) {
            traffic.begin(CLIENTS);
            traffic.awaitAnswered(200 + random.nextInt(400));
            dies.kill9();
            traffic.awaitEnd();
            allAreReplayed(traffic.answered(), lives.port());
            Map<String, Answer> late = finalAnswers(traffic.unanswered(), lives.port());
            late.forEach((key, answer) -> ranOnceOrNobodyKnows(key, answer, upstream.effects(key)));
            for (String key : traffic.answered().keySet()) assertEquals(1, upstream.effects(key), key);
        }
    }

    private static Path shortLease(OpenStore store) throws Exception {
        return store.write("semel.yml", """
            routes:
              - match: POST /v1/orders
                lease: 2s
                in-flight: wait 5s
            """);
    }

    private static void allAreReplayed(Map<String, Answer> answered, int port) throws Exception {
        Crowd.work(CLIENTS, List.of(port), answered.entrySet(), (client, before) -> {
            Answer now = client.order(before.getKey());
            assertEquals(before.getValue().essence(), now.essence(), before.getKey());
            assertTrue(now.isReplay(), before.getKey());
        });
    }

    /** What becomes of keys whose first attempt died with the gateway. */
    private static Map<String, Answer> finalAnswers(List<String> keys, int port) throws Exception {
        Map<String, Answer> answers = new ConcurrentHashMap<>();
        Crowd.work(
                CLIENTS,
                List.of(port),
                keys,
                (client, key) -> Await.until("the fate of " + key, () -> {
                    answers.put(key, client.order(key));
                    return !answers.get(key).problem().equals("in-progress");
                }));
        Map<String, Integer> counts = new TreeMap<>();
        answers.values().forEach(answer -> counts.merge(fate(answer), 1, Integer::sum));
        System.out.println("fates of requests that were cut off: " + counts);
        return answers;
    }

    private static String fate(Answer answer) {
        if (!answer.problem().isEmpty()) return answer.summary();
        return answer.isReplay() ? "recorded before" : "never sent before";
    }

    private static void ranOnceOrNobodyKnows(String key, Answer answer, int effects) {
        if (answer.problem().isEmpty()) assertEquals(1, effects, key);
        else assertTrue(effects <= 1, key + " ran " + effects + " times");
        assertTrue(Set.of("", "outcome-unknown").contains(answer.problem()), () -> key + " " + answer.text());
    }
}
