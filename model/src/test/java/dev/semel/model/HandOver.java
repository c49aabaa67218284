package dev.semel.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A configuration of the model of the relay's hand-over. Each {@code with} is another one. */
record HandOver(Map<String, String> constants) {
    private static final List<String> LAWS = List.of(
            "NothingIsLost",
            "NothingIsPassedOver",
            "KeysArriveInOrder",
            "NothingUncommittedArrives",
            "NothingIsDeletedLate",
            "WhatWasDroppedStaysAway",
            "LettersParkTheirKeys");

    /** Messages of one key, two relays that have a lease each, a broker that takes everything and always says so. */
    static HandOver of(int messages) {
        Map<String, String> constants = new LinkedHashMap<>();
        constants.put("Messages", Integer.toString(messages));
        constants.put("Others", "{}");
        constants.put("Relays", "{\"a\", \"b\"}");
        constants.put("Epochs", "2");
        constants.put("Marks", "0");
        constants.put("Refusals", "0");
        constants.put("Orders", "0");
        constants.put("LostAnswers", "0");
        constants.put("Weak", "{}");
        return new HandOver(constants);
    }

    HandOver with(String constant, Object value) {
        Map<String, String> changed = new LinkedHashMap<>(constants);
        if (changed.put(constant, value.toString()) == null)
            throw new IllegalArgumentException("The model has no constant " + constant + ".");
        return new HandOver(changed);
    }

    HandOver breaking(String rule) throws IOException {
        if (!Files.readString(Model.SOURCES.resolve("HandOver.tla")).contains("Broken(\"" + rule + "\")"))
            throw new IllegalArgumentException("The model has no rule \"" + rule + "\".");
        return with("Weak", "{\"" + rule + "\"}");
    }

    /** Walks through all of it, up to the first state that breaks a law. */
    Checked check(Path folder) throws IOException, InterruptedException {
        Files.copy(Model.SOURCES.resolve("HandOver.tla"), folder.resolve("HandOver.tla"));
        Files.writeString(folder.resolve("HandOver.cfg"), configuration());
        List<String> arguments = List.of(
                "-workers", Bounds.pick("1", "2"), "-deadlock", "-cleanup", "-metadir", folder + "/states", "HandOver");
        return Checked.of(ToolRun.of("tlc2.TLC", arguments, folder, Bounds.SECONDS));
    }

    private String configuration() {
        return "SPECIFICATION Spec\nINVARIANTS " + String.join(" ", LAWS) + "\nCONSTANTS\n"
                + constants.entrySet().stream()
                        .map(it -> "  " + it.getKey() + " = " + it.getValue() + "\n")
                        .collect(Collectors.joining());
    }
}
