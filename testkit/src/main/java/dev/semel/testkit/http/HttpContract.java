package dev.semel.testkit.http;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/**
 * What {@code Idempotency-Key} means on the wire, for whatever stands in front of an API: one list of scenarios, told
 * over real sockets. A subject's test extends this, puts the subject with the routes of {@link ContractRoutes} in front
 * of a {@link ScriptedUpstream}, in every {@link SetUp}, and adds what only that subject can get wrong. All scenarios are
 * told to the same subjects: each uses keys and tenants of its own.
 *
 * <p>A subject that does not read HTTP itself, such as a filter inside a server, overrides the groups that are not about
 * it, and says why.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class HttpContract {

    /** Where the subject listens that is set up like this. */
    protected abstract InetSocketAddress front(SetUp setUp);

    /** What the subject stands in front of. */
    protected abstract ScriptedUpstream upstream();

    /** Lets so much time pass on the clock by which the subject judges leases and retention. */
    protected abstract void pass(Duration time);

    /** Takes the subject's store away, or gives it back as it was. */
    protected abstract void storeDown(boolean down);

    /** How many duplicates may wait for one key. */
    protected int mostWaitersPerKey() {
        return 256;
    }

    /** How long an answer may take before the scenario fails. */
    protected Duration patience() {
        return Duration.ofSeconds(30);
    }

    @TestFactory
    public Stream<DynamicTest> keys() {
        return tell(KeyScenarios.all());
    }

    @TestFactory
    public Stream<DynamicTest> replays() {
        return tell(ReplayScenarios.all());
    }

    @TestFactory
    public Stream<DynamicTest> mismatch() {
        return tell(MismatchScenarios.all());
    }

    @TestFactory
    public Stream<DynamicTest> inFlight() {
        return tell(InFlightScenarios.all(mostWaitersPerKey()));
    }

    @TestFactory
    public Stream<DynamicTest> statuses() {
        return tell(StatusScenarios.all());
    }

    @TestFactory
    public Stream<DynamicTest> doubt() {
        return tell(DoubtScenarios.all());
    }

    @TestFactory
    public Stream<DynamicTest> probes() {
        return tell(ProbeScenarios.all());
    }

    @TestFactory
    public Stream<DynamicTest> orderedWrites() {
        return tell(OrderScenarios.all());
    }

    @TestFactory
    public Stream<DynamicTest> tenants() {
        return tell(TenantScenarios.all());
    }

    @TestFactory
    public Stream<DynamicTest> quotas() {
        return tell(QuotaScenarios.all());
    }

    @TestFactory
    public Stream<DynamicTest> encryption() {
        return tell(SealScenarios.all());
    }

    @TestFactory
    public Stream<DynamicTest> serviceApi() {
        return tell(ServiceScenarios.all());
    }

    @TestFactory
    public Stream<DynamicTest> evasions() {
        return tell(EvasionScenarios.all());
    }

    @TestFactory
    public Stream<DynamicTest> keySources() {
        return tell(KeySourceScenarios.all());
    }

    @TestFactory
    public Stream<DynamicTest> badUpstreams() {
        return tell(BadUpstreamScenarios.all());
    }

    @TestFactory
    public Stream<DynamicTest> storeOutages() {
        return tell(OutageScenarios.all());
    }

    @TestFactory
    public Stream<DynamicTest> limits() {
        return tell(LimitScenarios.all());
    }

    @TestFactory
    public Stream<DynamicTest> hangUps() {
        return tell(HangUpScenarios.all());
    }

    @TestFactory
    public Stream<DynamicTest> spentKeys() {
        return tell(SpentScenarios.all());
    }

    @TestFactory
    public Stream<DynamicTest> lookUps() {
        return tell(LookUpScenarios.all());
    }

    @TestFactory
    public Stream<DynamicTest> upstreamHeaders() {
        return tell(UpstreamHeaderScenarios.all());
    }

    @TestFactory
    public Stream<DynamicTest> discovery() {
        return tell(DiscoveryScenarios.all());
    }

    @TestFactory
    public Stream<DynamicTest> connections() {
        return tell(ConnectionScenarios.all());
    }

    @TestFactory
    public Stream<DynamicTest> malformedHttp() {
        return tell(MalformedScenarios.all());
    }

    @TestFactory
    public Stream<DynamicTest> plainTraffic() {
        return tell(PlainScenarios.all());
    }

    private Stream<DynamicTest> tell(List<Scenario> scenarios) {
        return scenarios.stream().map(scenario -> DynamicTest.dynamicTest(scenario.name(), () -> tell(scenario)));
    }

    /** Tells one more scenario to this subject. */
    protected final void tell(Scenario scenario) throws Exception {
        try (Scene scene = new Scene(this)) {
            scenario.tell(scene);
        }
    }
}
