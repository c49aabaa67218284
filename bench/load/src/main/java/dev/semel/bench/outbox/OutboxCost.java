package dev.semel.bench.outbox;

import dev.semel.bench.ChildJvm;
import dev.semel.bench.ProcessCpu;
import dev.semel.bench.report.Fact;
import dev.semel.bench.report.Scenario;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What messages cost, summed over all rounds: processor time of each process, and WAL. */
final class OutboxCost {
    private final OutboxServers servers;
    private final Map<Scenario, Spent> sums = new LinkedHashMap<>();

    OutboxCost(OutboxServers servers) {
        this.servers = servers;
    }

    /** Until now, or between two points in time. */
    record Spent(long messages, Duration program, Duration database, Duration kafka, long walBytes) {
        Spent minus(Spent before) {
            return new Spent(
                    messages - before.messages,
                    program.minus(before.program),
                    database.minus(before.database),
                    kafka.minus(before.kafka),
                    walBytes - before.walBytes);
        }

        Spent plus(Spent other) {
            return new Spent(
                    messages + other.messages,
                    program.plus(other.program),
                    database.plus(other.database),
                    kafka.plus(other.kafka),
                    walBytes + other.walBytes);
        }

        Duration behind() {
            return database.plus(kafka);
        }
    }

    Spent now(ChildJvm child, long messages) throws SQLException {
        return new Spent(
                messages,
                child.cpuTime(),
                ProcessCpu.of(servers.databasePid()),
                ProcessCpu.of(servers.kafkaPid()),
                servers.walBytes());
    }

    void add(Scenario scenario, Spent spent) {
        sums.merge(scenario, spent, Spent::plus);
    }

    List<Fact> facts() {
        List<Fact> facts = new ArrayList<>();
        sums.forEach((scenario, spent) -> {
            if (spent.messages() == 0) return;
            String what = ", " + scenario.subject() + ", " + scenario.work();
            facts.add(new Fact("CPU of the program" + what, micros(spent.program(), spent), "µs a message"));
            facts.add(new Fact("CPU of PostgreSQL" + what, micros(spent.database(), spent), "µs a message"));
            facts.add(new Fact("CPU of Kafka" + what, micros(spent.kafka(), spent), "µs a message"));
            facts.add(new Fact("WAL" + what, (double) spent.walBytes() / spent.messages(), "bytes a message"));
        });
        return facts;
    }

    private static double micros(Duration time, Spent spent) {
        return time.toNanos() / 1e3 / spent.messages();
    }
}
