package dev.semel.cli.plan;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.util.List;

/** A plan for programs. Bytes are bytes, times are seconds, money is US dollars a month. */
public final class PlanJson {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private PlanJson() {}

    public static String of(Demand demand, Prices prices, List<StorePlan> plans) {
        ObjectNode all = JSON.createObjectNode();
        all.putObject("demand")
                .put("newKeysPerSecond", demand.perSecond())
                .put("bodyBytes", demand.body())
                .put("retentionSeconds", demand.retention().toSeconds())
                .put("tombstoneSeconds", demand.tombstone().toSeconds())
                .put("duplicates", demand.duplicates());
        all.putObject("kept")
                .put("newKeysPerDay", demand.perSecond() * 86_400)
                .put("outcomes", demand.outcomes())
                .put("tombstones", demand.tombstones());
        double estimate = Planner.estimate(demand.body());
        all.putObject("estimate").put("bytesPerKey", estimate).put("outcomesBytes", estimate * demand.outcomes());
        ArrayNode stores = all.putArray("stores");
        for (StorePlan plan : plans) stores.add(store(plan));
        ArrayNode inputs = all.putArray("prices");
        for (Price price : prices.all())
            inputs.addObject()
                    .put("name", price.name())
                    .put("value", price.value())
                    .put("unit", price.unit())
                    .put("from", price.from());
        all.put("pricesAsOf", Prices.AS_OF);
        try {
            return JSON.writeValueAsString(all);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ObjectNode store(StorePlan plan) {
        ObjectNode store = JSON.createObjectNode().put("store", plan.store());
        store.putObject("bytesPerKey")
                .put("held", plan.bytes().held())
                .put("outcome", plan.outcomeBytes())
                .put("tombstone", plan.tombstoneBytes());
        store.putObject("storedBytes")
                .put("outcomes", plan.outcomes())
                .put("tombstones", plan.tombstones())
                .put("passing", plan.passing())
                .put("total", plan.total())
                .put("copies", plan.copies());
        ObjectNode windows = store.putObject("outcomesBytesByWindow");
        plan.windows().forEach(windows::put);
        ObjectNode requests = store.putObject("requests")
                .put("writesPerSecond", plan.writesPerSecond())
                .put("looksPerSecond", plan.readsPerSecond());
        plan.units().forEach((name, units) -> requests.put(name + "WriteUnits", units));
        store.putObject("monthlyUsd")
                .put("storage", plan.cost().storage())
                .put("requests", plan.cost().requests())
                .put("machines", plan.cost().machines())
                .put("total", plan.cost().total());
        store.put("machines", plan.cost().machineCount());
        ArrayNode notes = store.putArray("notes");
        plan.notes().forEach(notes::add);
        store.putObject("measured")
                .put("how", plan.bytes().how())
                .put("origin", plan.bytes().origin());
        return store;
    }
}
