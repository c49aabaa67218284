package dev.semel.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.semel.testkit.http.RawRequest;
import dev.semel.testkit.http.ScriptedUpstream;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a request with a key costs on the way between a gateway and the server of its store. */
@ExtendWith(StoreServers.class)
@Timeout(120)
class StoreRoundTripsTest {
    /** What a gateway asks in the background may fall into a request now and then, never into all of them. */
    private static final int REQUESTS = 10;

    private static void cost(int fresh, int replay, String url, int port) throws Exception {
        try (TurnsWire wire = TurnsWire.to(port);
                ScriptedUpstream upstream = ScriptedUpstream.start();
                Gateway gateway =
                        Gateway.start(GatewayHttpContractTest.config(upstream, ""), StoreUrls.open(wire.url(url)))) {
            TreeSet<Integer> freshes = new TreeSet<>();
            TreeSet<Integer> replays = new TreeSet<>();
            for (int i = 0; i < REQUESTS; i++) {
                RawRequest charge = RawRequest.charge("/required/charges").key("k" + i);
                freshes.add(wire.turns(() -> assertEquals(201, send(gateway, charge))));
                replays.add(wire.turns(() -> assertEquals(201, send(gateway, charge))));
            }
            assertEquals(fresh, freshes.first(), () -> "a fresh key on " + url + ": " + freshes);
            assertEquals(replay, replays.first(), () -> "a replay on " + url + ": " + replays);
        }
    }

    private static int send(Gateway gateway, RawRequest charge) throws Exception {
        return GatewayHttpContractTest.send(gateway, charge.header("X-Scenario", "round trips"))
                .status();
    }

    @Test
    void a_fresh_key_takes_two_round_trips_and_a_replay_one_on_every_store() throws Exception {
        String mariaDb = StoreServers.freshMariaDb();
        cost(2, 1, mariaDb, port(mariaDb));
        cost(2, 1, StoreServers.redis().url(), StoreServers.redis().port());
        cost(2, 1, StoreServers.freshTable(), StoreServers.dynamoDb().port());
        cost(2, 1, StoreServers.freshKeyspace(), StoreServers.cassandra().port());
    }

    private static int port(String jdbcUrl) {
        String rest = jdbcUrl.substring(jdbcUrl.indexOf("//") + 2);
        return Integer.parseInt(rest.substring(rest.indexOf(':') + 1, rest.indexOf('/')));
    }
}
