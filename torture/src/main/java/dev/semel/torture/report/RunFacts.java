package dev.semel.torture.report;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * What a history does not tell of its run.
 *
 * @param command what to type to have the same run again
 * @param store the URL of the store, without its secrets
 * @param versions of Semel, Java, the system and the store, in the order in which they are to be shown
 * @param settings what else a reader should know (gateways, clients, mix of promises…), in that order
 */
public record RunFacts(
        long seed,
        String command,
        String store,
        Instant began,
        Duration took,
        Map<String, String> versions,
        Map<String, String> settings) {}
