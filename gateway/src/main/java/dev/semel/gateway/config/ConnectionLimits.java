package dev.semel.gateway.config;

import java.time.Duration;

/**
 * What one client may take of the gateway before it has said anything worth doing.
 *
 * @param head how many bytes the head of a request may have; in HTTP/2, its header list
 * @param headTime how long a head may take to come, from its first byte, or from the connection's beginning
 * @param bodyTime how long the body behind it may take in all (one that is passed on as it comes: for each 16 KiB),
 *     and how long a client may take to fetch its answer
 * @param idle how long a connection may be silent in both directions
 * @param connections how many may be open at the same time
 * @param streams how many requests may run at the same time on one HTTP/2 connection
 * @param memory how many bytes of bodies all clients together may have in memory
 */
public record ConnectionLimits(
        int head, Duration headTime, Duration bodyTime, Duration idle, int connections, int streams, long memory) {
    /** While an answer is recorded there are three copies of it, and not all of the heap is for bodies. */
    private static final int SHARE_OF_THE_HEAP = 8;

    public static final ConnectionLimits DEFAULT = new ConnectionLimits(
            16 * 1024,
            Duration.ofSeconds(10),
            Duration.ofSeconds(60),
            Duration.ofSeconds(75),
            10_000,
            100,
            Runtime.getRuntime().maxMemory() / SHARE_OF_THE_HEAP);

    /** A line that is longer than this cannot be followed byte by byte. */
    static final int LARGEST_HEAD = 64 * 1024;

    static final int SMALLEST_HEAD = 1024;

    static final long SMALLEST_MEMORY = 1 << 20;

    /** The first line is a part of the head. */
    public int requestLine() {
        return head / 2;
    }
}
