package dev.semel.store.jdbc;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.Change;

/** A change to write over a record that was seen, as the table will have it. */
record Replace(KeyRecord seen, Change change, StateColumns next) implements WriteBatcher.Write {

    static Replace of(KeyRecord seen, Change change) {
        Change stored = StateColumns.asStored(change);
        return new Replace(seen, stored, StateColumns.of(stored));
    }

    @Override
    public KeyId id() {
        return seen.id();
    }

    @Override
    public long bytes() {
        return next.outcome() == null ? 0 : next.outcome().encoded().length;
    }
}
