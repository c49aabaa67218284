package dev.semel.messaging.tables;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/** Rows in as few statements as fit into packets. */
final class MariaDbBatches {
    private MariaDbBatches() {}

    /** In their order; a row that is too large for all others is alone. */
    static <T> List<List<T>> of(List<T> rows, int mostRows, int mostBytes, ToIntFunction<T> bytes) {
        List<List<T>> batches = new ArrayList<>();
        List<T> batch = new ArrayList<>();
        int size = 0;
        for (T row : rows) {
            int added = bytes.applyAsInt(row);
            if (!batch.isEmpty() && (batch.size() == mostRows || size + added > mostBytes)) {
                batches.add(batch);
                batch = new ArrayList<>();
                size = 0;
            }
            batch.add(row);
            size += added;
        }
        if (!batch.isEmpty()) batches.add(batch);
        return batches;
    }
}
