package dev.semel.core.store;

import dev.semel.core.key.KeyId;

/**
 * What a store can tell of changes that other processes make, sooner than a look would find them. Only a hint: news may be
 * lost, late or doubled, and whoever needs to know looks now and then all the same. The write that there is news of is no
 * slower for it by a round trip.
 *
 * <p>Safe for use by any number of threads.
 */
public interface KeyNews {

    /** What somebody wants to hear of, until it is closed. */
    interface Interest extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * From soon on, calls back when the key has come to another state. Neither waits for the server nor fails: without a
     * server there is no news.
     *
     * @param changed is called on a thread of the store's: it must be quick
     */
    Interest watch(KeyId id, Runnable changed);
}
