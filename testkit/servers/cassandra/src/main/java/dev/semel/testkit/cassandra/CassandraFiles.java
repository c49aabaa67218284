package dev.semel.testkit.cassandra;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a server reads when it starts. */
final class CassandraFiles {
    /** One node with little memory. What is not here is as Cassandra has it by default. */
    private static final String SETTINGS = """
        cluster_name: test
        num_tokens: 1
        partitioner: org.apache.cassandra.dht.Murmur3Partitioner
        endpoint_snitch: SimpleSnitch
        seed_provider: [{class_name: org.apache.cassandra.locator.SimpleSeedProvider, parameters: [{seeds: "127.0.0.1:${seed}"}]}]
        listen_address: 127.0.0.1
        rpc_address: 127.0.0.1
        storage_port: ${storage}
        native_transport_port: ${port}
        commitlog_sync: periodic
        commitlog_sync_period: 10000ms
        data_file_directories: ['${folder}/data']
        commitlog_directory: '${folder}/commitlog'
        saved_caches_directory: '${folder}/saved'
        hints_directory: '${folder}/hints'
        cdc_raw_directory: '${folder}/cdc'
        concurrent_reads: 8
        concurrent_writes: 32
        memtable_heap_space: 48MiB
        memtable_offheap_space: 32MiB
        commitlog_segment_size: 32MiB
        commitlog_total_space: 128MiB
        key_cache_size: 0MiB
        file_cache_size: 32MiB
        auto_snapshot: false
        auto_bootstrap: false
        """;

    private static final String LOGGING = """
        <configuration>
          <appender name="out" class="ch.qos.logback.core.ConsoleAppender">
            <encoder><pattern>%-5level %date{HH:mm:ss.SSS} %logger{0} - %msg%n</pattern></encoder>
          </appender>
          <root level="WARN"><appender-ref ref="out"/></root>
        </configuration>
        """;

    private CassandraFiles() {}

    /** @param seed the storage port of the node that knows the cluster; a node's own if it is the first */
    record Ports(int clients, int storage, int seed) {}

    static void write(Path folder, Ports ports, List<String> settings) throws IOException {
        Files.createDirectories(folder.resolve("triggers"));
        Files.writeString(folder.resolve("logback.xml"), LOGGING);
        String defaults = SETTINGS.replace("${port}", Integer.toString(ports.clients()))
                .replace("${storage}", Integer.toString(ports.storage()))
                .replace("${seed}", Integer.toString(ports.seed()))
                .replace("${folder}", folder.toString());
        Map<String, String> lines = new LinkedHashMap<>();
        defaults.lines().forEach(line -> lines.put(name(line), line));
        settings.forEach(line -> lines.put(name(line), line));
        lines.values().removeIf(line -> line.endsWith(":"));
        Files.writeString(folder.resolve("cassandra.yaml"), String.join("\n", lines.values()) + "\n");
    }

    private static String name(String line) {
        int end = line.indexOf(':');
        if (end < 0) throw new IllegalArgumentException("A setting has a name, a colon and a value, not: " + line);
        return line.substring(0, end);
    }
}
