package dev.semel.bench.storage;

import dev.semel.core.store.KeyStore;
import java.time.Duration;

/** A store on a server of its own, and how many bytes its keys take there. For one thread. */
interface MeasuredStore extends AutoCloseable {

    /** The store, empty. What an earlier call has opened is closed, and its keys are gone. */
    KeyStore openEmpty() throws Exception;

    /** How many bytes all keys take, once the server has come to rest and has cleaned up what is dead. */
    long bytes() throws Exception;

    /** The same when outcomes were taken away before: where the server keeps their room, the keys are written anew. */
    default long bytesAfterStripping() throws Exception {
        return bytes();
    }

    /** What the server keeps of each write beside the key itself, and only for a while; 0 where there is no such thing. */
    default long passingBytes() throws Exception {
        return 0;
    }

    /** For how long it keeps that. */
    default Duration passingTime() {
        return Duration.ZERO;
    }

    /** Of so many keys, how many are enough for a figure that holds. */
    default int enough(int keys) {
        return keys;
    }

    /** In a few words, what was measured and on what. */
    String how();

    @Override
    void close();
}
