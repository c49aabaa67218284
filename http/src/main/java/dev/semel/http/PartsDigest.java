package dev.semel.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/**
 * A digest of several parts in which each is preceded by its length: where one ends is never in question. For one
 * thread.
 */
public final class PartsDigest {
    private final MessageDigest sha = sha();

    private static MessageDigest sha() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256.", e);
        }
    }

    public void number(int number) {
        sha.update((byte) (number >>> 24));
        sha.update((byte) (number >>> 16));
        sha.update((byte) (number >>> 8));
        sha.update((byte) number);
    }

    public void part(byte[] bytes) {
        number(bytes.length);
        sha.update(bytes);
    }

    public void part(String text) {
        part(text.getBytes(StandardCharsets.UTF_8));
    }

    public void parts(List<String> texts) {
        number(texts.size());
        texts.forEach(this::part);
    }

    public byte[] sha256() {
        return sha.digest();
    }
}
