package dev.semel.testkit.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;

/** A contract that nothing at all can keep is no contract: an upstream with nobody in front must fail it. */
class BareUpstreamTest {
    private ScriptedUpstream upstream;

    private final HttpContract nobodyInFront = new HttpContract() {
        @Override
        protected InetSocketAddress front(SetUp setUp) {
            return upstream.address();
        }

        @Override
        protected ScriptedUpstream upstream() {
            return upstream;
        }

        @Override
        protected void pass(Duration time) {}

        @Override
        protected void storeDown(boolean down) {}

        @Override
        protected int mostWaitersPerKey() {
            return 2;
        }

        @Override
        protected Duration patience() {
            return Duration.ofMillis(200);
        }
    };

    @Test
    void plain_traffic_passes_and_nothing_about_keys_does() throws Exception {
        assertEquals(
                List.of(
                        "an optional key may be missing: each request runs",
                        "where keys are off, a key means nothing: each request runs",
                        "tenants: what has no key needs no tenant",
                        "a key that nobody used is not there",
                        "refused: a TLS greeting"),
                passing(aboutKeys()));
        assertTrue(passing(nobodyInFront.plainTraffic()).size() > 5);
    }

    private Stream<DynamicTest> aboutKeys() {
        return Stream.of(
                        nobodyInFront.keys(),
                        nobodyInFront.replays(),
                        nobodyInFront.mismatch(),
                        nobodyInFront.inFlight(),
                        nobodyInFront.statuses(),
                        nobodyInFront.doubt(),
                        nobodyInFront.tenants(),
                        nobodyInFront.quotas(),
                        nobodyInFront.encryption(),
                        nobodyInFront.serviceApi(),
                        nobodyInFront.limits(),
                        nobodyInFront.hangUps(),
                        nobodyInFront.spentKeys(),
                        nobodyInFront.lookUps(),
                        nobodyInFront.upstreamHeaders(),
                        nobodyInFront.discovery(),
                        nobodyInFront.connections(),
                        nobodyInFront.malformedHttp())
                .flatMap(group -> group);
    }

    private List<String> passing(Stream<DynamicTest> tests) throws Exception {
        List<String> passing = new ArrayList<>();
        for (DynamicTest test : tests.toList()) {
            try (ScriptedUpstream ofItsOwn = ScriptedUpstream.start()) {
                upstream = ofItsOwn;
                test.getExecutable().execute();
                passing.add(test.getDisplayName());
            } catch (Throwable e) {
                assertTrue(e instanceof AssertionError, () -> test.getDisplayName() + " ended with " + e);
            }
        }
        return passing;
    }
}
