package dev.semel.bench.store;

import dev.semel.bench.GatewayBench;
import dev.semel.bench.GatewayLauncher;
import dev.semel.bench.report.Fact;
import dev.semel.bench.report.Ratio;
import dev.semel.bench.report.Scenario;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A gateway on the store of many keys: how long it takes to start, and what fresh keys cost through it. */
final class GrownGateway {
    private GrownGateway() {}

    static void measure(GrowthBench bench, GatewayLauncher launcher, Path small, long size)
            throws IOException, InterruptedException {
        String many = "gateway, " + GrowthBench.name(size);
        String few = "gateway, few keys beside " + GrowthBench.name(size);
        GatewayBench.FreshKeys found = GatewayBench.freshKeys(
                List.of(
                        new GatewayBench.Store(few, "rocksdb:" + small, 0),
                        new GatewayBench.Store(many, "rocksdb:" + bench.grown(), 0)),
                bench.options().callers(),
                bench.options().plan(),
                launcher,
                bench.progress());
        Scenario of = bench.scenario(many, "fresh keys");
        Scenario to = bench.scenario(few, "fresh keys");
        bench.addFound(
                found.series(),
                List.of(Ratio.ofRates("gateway, fresh keys, " + GrowthBench.name(size) + " / few", of, to)),
                List.of(
                        new Fact("gateway starts, few keys", found.startMillis().getFirst(), "ms"),
                        new Fact(
                                "gateway starts, " + GrowthBench.name(size),
                                found.startMillis().getLast(),
                                "ms")));
    }
}
