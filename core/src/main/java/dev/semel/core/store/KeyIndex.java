package dev.semel.core.store;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import java.util.List;

/**
 * Looks after many keys: the part of a store that no request needs. A store offers it as well as its server allows; its
 * {@link StoreTraits} say what it cannot do, and calls for that throw {@link UnsupportedOperationException}.
 *
 * <p>Safe for use by any number of threads; every call may block, and throws {@link StoreException} when it cannot be
 * answered. The laws are checked by {@code KeyIndexContract} in the testkit.
 */
public interface KeyIndex {

    /**
     * One step of the sweep.
     *
     * @param looked how many records the step looked at
     * @param removed how many forgotten keys it removed
     * @param stripped how many outcomes past their retention it cut down to a tombstone
     * @param finished whether the step reached the end of the store; the next one starts over
     * @param due keys it came across that it is {@linkplain KeyRecord#isDue time to look at}: in doubt, or with a holder
     *     past its lease
     * @param unreadable the digests, in hexadecimal, of records it came across that it could not read, and left as they
     *     are
     * @param inDoubt how many of the records it looked at are in doubt, also those whose next probe is not due yet
     */
    record Swept(
            long looked,
            long removed,
            long stripped,
            boolean finished,
            List<KeyId> due,
            List<String> unreadable,
            long inDoubt) {
        public Swept(long looked, long removed, long stripped, boolean finished) {
            this(looked, removed, stripped, finished, List.of(), List.of(), 0);
        }
    }

    /** One page of keys, as they count now. Keys that count as absent are left out, and those that cannot be read. */
    Listing.Page list(Listing listing);

    /**
     * How many records there are of a tenant, in whatever state; those that are expired and not swept yet may be left
     * out. What was inserted before the call is counted, whoever inserted it. Counts no further than {@code upTo}.
     *
     * @param tenant not the empty one, which nobody has a quota for
     */
    long count(String tenant, long upTo);

    /** Whatever the first count would do at length is done now, so that no claim has to wait for it. */
    default void prepareToCount() {}

    /**
     * One bounded step of cleaning, starting where the last one stopped: removes what is forgotten and cuts outcomes
     * past their retention down to tombstones. Changes nothing that any caller could tell from {@link KeyRecord#asOf},
     * never touches a record that has moved on, and holds up other calls only for moments. A record that cannot be read
     * is passed over, stays as it is, and is named in the answer.
     */
    Swept sweep(int limit);
}
