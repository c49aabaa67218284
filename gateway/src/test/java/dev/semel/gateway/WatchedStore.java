package dev.semel.gateway;

import dev.semel.core.key.KeyId;
import dev.semel.core.store.KeyStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;

/** Counts how often a key was looked up, so that tests can await it, and fails like no store should when told to. */
final class WatchedStore {
    private final Map<String, Integer> looks = new HashMap<>();
    private volatile boolean broken;

    KeyStore around(KeyStore store) {
        return (KeyStore) Proxy.newProxyInstance(
                KeyStore.class.getClassLoader(), new Class<?>[] {KeyStore.class}, (proxy, method, args) -> {
                    if (broken) throw new IllegalStateException("planned: broken");
                    if (method.getName().equals("find")) looked((KeyId) args[0]);
                    try {
                        return method.invoke(store, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    void broken(boolean broken) {
        this.broken = broken;
    }

    private synchronized void looked(KeyId id) {
        looks.merge(id.key(), 1, Integer::sum);
        notifyAll();
    }

    /** A claim that waits has looked once: after it took its place, so that no news can pass it by. */
    synchronized void awaitLooks(String key, int count) throws InterruptedException {
        long deadline = System.nanoTime() + 30_000_000_000L;
        while (looks.getOrDefault(key, 0) < count) {
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (left <= 0) throw new AssertionError(looks.get(key) + " looks at " + key + ", not " + count);
            wait(left);
        }
    }
}
