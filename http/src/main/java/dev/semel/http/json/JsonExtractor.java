package dev.semel.http.json;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import dev.semel.http.json.FieldReading.Nothing;
import dev.semel.http.json.FieldReading.Unusable;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Extracts a few values out of JSON bodies, all in one pass, under the caps of {@link CanonicalJson}. Strings and booleans
 * count as they are. Numbers are spelled as RFC 8785 spells them, so {@code 1.0} is {@code 1}; but one with more digits
 * than a double holds keeps them all, for it may well be somebody's id.
 *
 * <p>A body is read to its end. One that is not JSON, or is over a cap, gives no value at all; where a name on the way
 * to a value occurs twice in one object, that value is not given either, because readers differ in which one they take.
 *
 * <p>Time grows in proportion to the body, whatever it says. Immutable, for use by any thread.
 */
public final class JsonExtractor {
    private final List<String> pointers;
    private final PointerTrie root = new PointerTrie();

    private JsonExtractor(List<String> pointers) {
        this.pointers = List.copyOf(pointers);
        for (int i = 0; i < pointers.size(); i++) root.add(Pointer.parse(pointers.get(i)), i);
    }

    /**
     * For the values at these places.
     *
     * @param pointers JSON pointers (RFC 6901), for example {@code /customer/id} or {@code /items/0/id}
     * @throws IllegalArgumentException when one is not a JSON pointer, or names the whole body
     */
    public static JsonExtractor of(List<String> pointers) {
        return new JsonExtractor(pointers);
    }

    /** What is found in a body: one answer for each pointer, in their order. Never throws for what a body holds. */
    public List<FieldReading> from(byte[] body) {
        if (body.length == 0) return all(new Nothing("The body is empty."));
        if (body.length > CanonicalJson.MAX_BYTES)
            return all(new Unusable("The body is longer than " + CanonicalJson.MAX_BYTES + " bytes."));
        try (JsonParser parser = CanonicalJson.parser(body)) {
            return new ExtractionPass(parser, initially()).document(root);
        } catch (IOException unreadable) {
            return all(new Unusable(why(unreadable)));
        }
    }

    private List<FieldReading> initially() {
        List<FieldReading> nothing = new ArrayList<>(pointers.size());
        for (String pointer : pointers) nothing.add(new Nothing("The JSON body has nothing at " + pointer + "."));
        return nothing;
    }

    private List<FieldReading> all(FieldReading answer) {
        return Collections.nCopies(pointers.size(), answer);
    }

    /** In words of our own, for the parser's quote the body. */
    private static String why(IOException unreadable) {
        return switch (unreadable) {
            case CharacterCodingException encoding -> "The body is not UTF-8.";
            case StreamConstraintsException cap ->
                "The JSON body is nested deeper than " + CanonicalJson.MAX_DEPTH + " levels.";
            case JacksonException syntax -> "The body is not valid JSON.";
            default -> "The body is not one JSON document.";
        };
    }
}
