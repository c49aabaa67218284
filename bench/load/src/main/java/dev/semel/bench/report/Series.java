package dev.semel.bench.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** A scenario with its measurement of every round. */
public record Series(
        @JsonUnwrapped Scenario scenario,
        @JsonProperty("rounds") List<Sample> samples) {

    public Series {
        samples = List.copyOf(samples);
    }

    public Spread of(ToDoubleFunction<Sample> figure) {
        return Spread.of(samples.stream().mapToDouble(figure).toArray());
    }

    public long errors() {
        return samples.stream().mapToLong(Sample::errors).sum();
    }

    public String firstError() {
        return samples.stream()
                .map(Sample::firstError)
                .filter(error -> !error.isEmpty())
                .findFirst()
                .orElse("");
    }
}
