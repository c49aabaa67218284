package dev.semel.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A configuration of the model: how many of each there are, and which rules are broken. Each {@code with} is another one. */
record Model(Map<String, String> constants, List<String> inTheEnd) {
    static final Path SOURCES = Path.of(System.getProperty("semel.root", ".."), "model", "src", "main", "tla")
            .toAbsolutePath()
            .normalize();

    private static final List<String> LAWS = List.of(
            "AtMostOneEffect",
            "TokensGrow",
            "OutcomesNeverChange",
            "OnlyTheHolderWrites",
            "AnswersAreRecorded",
            "NothingToldIsLost",
            "NoStrangerIsServed",
            "TrueWordsCount",
            "EffectsKeepTheOrderOfTokens",
            "NoHolderIsStale");

    /** Two attempts that ask for the same, on a store that answers, with nobody to end a doubt. */
    static Model atMostOnce() {
        Map<String, String> constants = new LinkedHashMap<>();
        constants.put("Attempts", "{a, b}");
        constants.put("Strangers", "{}");
        constants.put("Probers", "{}");
        constants.put("Operator", "FALSE");
        constants.put("Again", "{}");
        constants.put("FencedUpstream", "FALSE");
        constants.put("OneGateway", "FALSE");
        constants.put("AfterCovers", "\"all\"");
        constants.put("Lives", "1");
        constants.put("LostAnswers", "0");
        constants.put("Renewals", "0");
        constants.put("Weak", "{}");
        return new Model(constants, List.of());
    }

    /** The same, where all agreed to a second run and the upstream checks tokens. */
    static Model atLeastOnce() {
        return atMostOnce().with("Again", "Attempts").with("FencedUpstream", "TRUE");
    }

    Model with(String constant, Object value) {
        Map<String, String> changed = new LinkedHashMap<>(constants);
        if (changed.put(constant, value.toString()) == null)
            throw new IllegalArgumentException("The model has no constant " + constant + ".");
        return new Model(changed, inTheEnd);
    }

    Model breaking(String... rules) throws IOException {
        for (String rule : rules)
            if (!Files.readString(SOURCES.resolve("Semel.tla")).contains("Broken(\"" + rule + "\")"))
                throw new IllegalArgumentException("The model has no rule \"" + rule + "\".");
        return with("Weak", "{\"" + String.join("\", \"", rules) + "\"}");
    }

    /** Also what must come about in the end, which is costly: no state may count for another. */
    Model alsoInTheEnd(String... properties) {
        return new Model(constants, List.of(properties));
    }

    /** Walks through all of it, up to the first state that breaks a law. */
    Checked check(Path folder) throws IOException, InterruptedException {
        for (String module : List.of("Semel.tla", "Laws.tla"))
            Files.copy(SOURCES.resolve(module), folder.resolve(module));
        Files.writeString(folder.resolve("Laws.cfg"), configuration());
        List<String> arguments = List.of(
                "-workers", Bounds.pick("1", "2"), "-deadlock", "-cleanup", "-metadir", folder + "/states", "Laws");
        return Checked.of(ToolRun.of("tlc2.TLC", arguments, folder, Bounds.SECONDS));
    }

    private String configuration() {
        List<String> lines = new ArrayList<>(List.of("SPECIFICATION Spec"));
        lines.add("INVARIANTS " + String.join(" ", LAWS));
        lines.add(inTheEnd.isEmpty() ? "SYMMETRY Alike" : "PROPERTIES " + String.join(" ", inTheEnd));
        lines.add("CONSTANTS");
        constants.forEach((name, value) -> lines.add("  " + name + " = " + constants.getOrDefault(value, value)));
        names().forEach(name -> lines.add("  " + name + " = " + name));
        return lines.stream().collect(Collectors.joining("\n", "", "\n"));
    }

    /** Attempts and probers are mere names, each equal to itself alone. */
    private TreeSet<String> names() {
        TreeSet<String> names = new TreeSet<>();
        Matcher name = Pattern.compile("\\b[a-z]\\b").matcher(constants.get("Attempts") + constants.get("Probers"));
        while (name.find()) names.add(name.group());
        return names;
    }
}
