package dev.semel.store.dynamodb;

import dev.semel.core.key.Guarantee;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.store.Change;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Next;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Makes the item of a record. What a record does not have takes no room in its item. */
final class ItemWriter {
    /** The version of the format; an item of a higher one is not read. */
    static final int FORMAT = 1;

    /** An item has 400 KB at most, names of attributes included. */
    static final int LARGEST_ITEM = 400 * 1024;

    /**
     * The room for everything but the outcome: a key of 3 × 1,024 bytes, a memo of 16 KiB, a history of 40 remarks (44 KB
     * of the widest characters), and less than 1 KiB for numbers and names.
     */
    static final int ROOM_FOR_THE_REST = 64 * 1024;

    private static final int LONGEST_TEXT = 16 * 1024;

    private final Map<String, AttributeValue> item = new HashMap<>();

    private ItemWriter() {}

    static Map<String, AttributeValue> item(KeyRecord record) {
        return new ItemWriter().write(record).item;
    }

    static Map<String, AttributeValue> address(KeyId id) {
        return Map.of(Attribute.ID, digest(id));
    }

    private static AttributeValue digest(KeyId id) {
        return AttributeValue.fromB(SdkBytes.fromByteArrayUnsafe(id.digest()));
    }

    private ItemWriter write(KeyRecord record) {
        item.put(Attribute.ID, digest(record.id()));
        number(Attribute.FORMAT, FORMAT);
        text(Attribute.STATE, StateName.of(record.state().kind()));
        if (!record.id().tenant().isEmpty()) text(Attribute.TENANT, record.id().tenant());
        text(Attribute.OPERATION, record.id().operation());
        text(Attribute.KEY, record.id().key());
        bytes(Attribute.FINGERPRINT, record.fingerprint().bytes());
        number(Attribute.TOKEN, record.token());
        number(Attribute.ATTEMPT, record.attempt());
        number(Attribute.REVISION, record.revision());
        time(Attribute.SINCE, record.since());
        if (record.remote()) item.put(Attribute.REMOTE, AttributeValue.fromBool(true));
        bytes(Attribute.MEMO, record.memo().encoded());
        bytes(Attribute.HISTORY, record.history().bytes());
        write(record.state());
        return this;
    }

    private void write(KeyState state) {
        switch (state) {
            case KeyState.Held it -> {
                text(Attribute.HOLDER, it.holder());
                time(Attribute.LEASE, it.leaseUntil());
                if (it.guarantee() == Guarantee.AT_LEAST_ONCE) item.put(Attribute.AGAIN, AttributeValue.fromBool(true));
            }
            case KeyState.InDoubt it -> {
                text(Attribute.REASON, it.reason());
                number(Attribute.PROBES, it.probes());
                time(Attribute.PROBE, it.nextProbe());
            }
            case KeyState.Done it -> {
                byte[] outcome = it.outcome().encoded();
                item.put(Attribute.OUTCOME, AttributeValue.fromB(SdkBytes.fromByteArrayUnsafe(outcome)));
                time(Attribute.REPLAY, it.replayUntil());
                forget(it.forgetAt());
            }
            case KeyState.Free it -> forget(it.forgetAt());
            case KeyState.Spent it -> forget(it.forgetAt());
        }
    }

    private void forget(Instant at) {
        time(Attribute.FORGET, at);
        item.put(Attribute.TTL, AttributeValue.fromN(Timestamps.ttl(at)));
    }

    private void text(String name, String value) {
        item.put(name, AttributeValue.fromS(value));
    }

    private void number(String name, long value) {
        item.put(name, AttributeValue.fromN(Long.toString(value)));
    }

    private void time(String name, Instant value) {
        item.put(name, AttributeValue.fromN(Timestamps.of(value)));
    }

    private void bytes(String name, byte[] value) {
        if (value.length > 0) item.put(name, AttributeValue.fromB(SdkBytes.fromByteArrayUnsafe(value)));
    }

    /** The claim as the table will have it. */
    static NewKey asStored(NewKey key) {
        String holder = storable(key.holder());
        return holder.equals(key.holder())
                ? key
                : new NewKey(
                        key.id(), key.fingerprint(), holder, key.lease(), key.guarantee(), key.remote(), key.memo());
    }

    /** The change as the table will have it. */
    static Change asStored(Change change) {
        Next next = switch (change.next()) {
            case Next.Held it -> new Next.Held(storable(it.holder()), it.lease(), it.guarantee(), it.heldSince());
            case Next.InDoubt it -> new Next.InDoubt(storable(it.reason()), it.probes(), it.probeIn(), it.doubtSince());
            case Next.Done it -> it;
            case Next.Free it -> it;
        };
        return change.with(change.memo(), next);
    }

    /** A reason may quote anything that a peer sent: half a character has no UTF-8, and no text may fill an item. */
    private static String storable(String text) {
        String cut = text.length() > LONGEST_TEXT ? text.substring(0, LONGEST_TEXT) : text;
        return new String(cut.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }
}
