package dev.semel.cli.plan;

import java.util.List;
import java.util.Map;

/**
 * What keeping keys takes and costs in one store.
 *
 * @param bytes what was measured of it
 * @param outcomeBytes of one key with its outcome, as they count: where more is billed, with that
 * @param tombstoneBytes of one key after its retention, in the same way
 * @param outcomes bytes of all outcomes, in one copy
 * @param tombstones bytes of all tombstones, in one copy
 * @param passing bytes that the server keeps of each write for a while, in one copy
 * @param copies how many copies there are of everything
 * @param writesPerSecond writes that the store is asked for: claims and outcomes
 * @param readsPerSecond looks for duplicates
 * @param units billed units of a request, by name; empty where requests are not billed
 * @param windows bytes of outcomes alone in one copy, by how long they are kept
 * @param notes what a reader should know about this row
 */
public record StorePlan(
        MeasuredBytes bytes,
        double outcomeBytes,
        double tombstoneBytes,
        double outcomes,
        double tombstones,
        double passing,
        double copies,
        double writesPerSecond,
        double readsPerSecond,
        Map<String, Double> units,
        Map<String, Double> windows,
        Cost cost,
        List<String> notes) {

    /** US dollars a month. */
    public record Cost(double storage, double requests, double machines, int machineCount) {
        public double total() {
            return storage + requests + machines;
        }
    }

    public String store() {
        return bytes.store();
    }

    /** Bytes in one copy. */
    public double total() {
        return outcomes + tombstones + passing;
    }
}
