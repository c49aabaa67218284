package dev.semel.store.rocksdb;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** What {@code rocksdb:DIR?durability=sync|os} says. */
record RocksUrl(Path dir, Durability durability) {
    private static final String SCHEME = "rocksdb:";

    static RocksUrl parse(String url) {
        if (!url.startsWith(SCHEME)) throw wrong(url, "it does not start with rocksdb:");
        int mark = url.indexOf('?');
        String dir = url.substring(SCHEME.length(), mark < 0 ? url.length() : mark);
        if (dir.isBlank()) throw wrong(url, "it names no folder");
        try {
            return new RocksUrl(Path.of(dir), mark < 0 ? Durability.SYNC : durability(url, url.substring(mark + 1)));
        } catch (InvalidPathException e) {
            throw wrong(url, "its folder is not a path: " + e.getReason());
        }
    }

    private static Durability durability(String url, String parameter) {
        return switch (parameter) {
            case "durability=sync" -> Durability.SYNC;
            case "durability=os" -> Durability.OS;
            default -> throw wrong(url, "the only parameter is durability=sync or durability=os, not " + parameter);
        };
    }

    private static IllegalArgumentException wrong(String url, String why) {
        return new IllegalArgumentException("The store URL " + url + " cannot be used: " + why
                + ". It looks like rocksdb:DIR or rocksdb:DIR?durability=os.");
    }
}
