package dev.semel.messaging.message;

/** Messages that stay in order: those of one topic with one key. */
public record OrderedKey(String topic, String key) {}
