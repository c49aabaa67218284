package dev.semel.store.dynamodb;

import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.Guarantee;
import dev.semel.core.key.History;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Memo;
import dev.semel.core.key.Outcome;
import dev.semel.core.store.StoreException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads records from items. A record is built from the item alone: what it says is what the table holds. */
final class ItemReader {
    private static final byte[] NOTHING = {};

    private final Map<String, AttributeValue> item;

    private ItemReader(Map<String, AttributeValue> item) {
        this.item = item;
    }

    /**
     * The record of this key.
     *
     * @throws IllegalStateException when it is of another key with the same digest: it is not given away
     * @throws StoreException when the item makes no record: nothing may be built on it, least of all that the key is free
     */
    static KeyRecord record(Map<String, AttributeValue> item, KeyId asked) {
        KeyRecord record = record(item);
        if (record.id().equals(asked)) return record;
        throw new IllegalStateException("Two keys have the same digest: an item is not of the key it stands for.");
    }

    /** @throws StoreException when the item makes no record */
    static KeyRecord record(Map<String, AttributeValue> item) {
        return new ItemReader(item).read(true);
    }

    /** The record of an item that was asked for without its outcome, which here is empty. */
    static KeyRecord head(Map<String, AttributeValue> item) {
        return new ItemReader(item).read(false);
    }

    /** What stands for an item that cannot be read. */
    static String digest(Map<String, AttributeValue> item) {
        return HexFormat.of().formatHex(new ItemReader(item).bytes(Attribute.ID));
    }

    private KeyRecord read(boolean whole) {
        try {
            long format = number(Attribute.FORMAT);
            if (format != ItemWriter.FORMAT)
                throw StoreException.notApplied(
                        "An item has format version " + format + "; this program knows version " + ItemWriter.FORMAT
                                + " and does not guess. Was it written by a newer Semel?",
                        null);
            return new KeyRecord(
                    id(),
                    Fingerprint.ofBytes(bytes(Attribute.FINGERPRINT)),
                    number(Attribute.TOKEN),
                    Math.toIntExact(number(Attribute.ATTEMPT)),
                    number(Attribute.REVISION),
                    time(Attribute.SINCE),
                    isTrue(Attribute.REMOTE),
                    Memo.ofStored(bytes(Attribute.MEMO)),
                    History.ofBytes(bytes(Attribute.HISTORY)),
                    state(whole));
        } catch (IllegalArgumentException | ArithmeticException | DateTimeException e) {
            throw StoreException.notApplied("An item is damaged: " + e.getMessage(), e);
        }
    }

    private KeyId id() {
        AttributeValue tenant = item.get(Attribute.TENANT);
        return KeyId.ofStored(
                tenant == null || tenant.s() == null ? "" : tenant.s(), text(Attribute.OPERATION), text(Attribute.KEY));
    }

    private KeyState state(boolean whole) {
        return switch (StateName.kind(text(Attribute.STATE))) {
            case FREE -> new KeyState.Free(time(Attribute.FORGET));
            case HELD -> new KeyState.Held(text(Attribute.HOLDER), time(Attribute.LEASE), guarantee());
            case DONE -> new KeyState.Done(outcome(whole), time(Attribute.REPLAY), time(Attribute.FORGET));
            case IN_DOUBT ->
                new KeyState.InDoubt(
                        text(Attribute.REASON), Math.toIntExact(number(Attribute.PROBES)), time(Attribute.PROBE));
            case SPENT -> new KeyState.Spent(time(Attribute.SINCE), time(Attribute.FORGET));
        };
    }

    private Guarantee guarantee() {
        return isTrue(Attribute.AGAIN) ? Guarantee.AT_LEAST_ONCE : Guarantee.AT_MOST_ONCE;
    }

    private Outcome outcome(boolean whole) {
        if (!whole) return Outcome.ofStored(NOTHING);
        if (!item.containsKey(Attribute.OUTCOME)) throw new IllegalArgumentException("a finished key has no outcome");
        return Outcome.ofStored(bytes(Attribute.OUTCOME));
    }

    private boolean isTrue(String name) {
        AttributeValue value = item.get(name);
        return value != null && Boolean.TRUE.equals(value.bool());
    }

    private String text(String name) {
        AttributeValue value = item.get(name);
        return there(name, value == null ? null : value.s());
    }

    private long number(String name) {
        AttributeValue value = item.get(name);
        return Long.parseLong(there(name, value == null ? null : value.n()));
    }

    private Instant time(String name) {
        AttributeValue value = item.get(name);
        return Timestamps.read(there(name, value == null ? null : value.n()));
    }

    private byte[] bytes(String name) {
        AttributeValue value = item.get(name);
        return value == null ? NOTHING : there(name, value.b()).asByteArrayUnsafe();
    }

    private static <T> T there(String name, @Nullable T value) {
        if (value == null) throw new IllegalArgumentException("its '" + name + "' is missing or of another type");
        return value;
    }
}
