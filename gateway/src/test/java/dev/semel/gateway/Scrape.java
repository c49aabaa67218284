package dev.semel.gateway;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What {@code /metrics} answered, read by the rules of the text format alone. */
record Scrape(Map<String, String> types, Map<String, String> help, List<Sample> samples) {
    private static final Pattern SAMPLE = Pattern.compile("([a-z0-9_]+)(?:\\{(.*)})? (\\S+)");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"((?:[^\"\\\\]|\\\\.)*)\",?");

    record Sample(String name, Map<String, String> labels, double value) {}

    static Scrape of(String text) {
        Scrape scrape = new Scrape(new TreeMap<>(), new TreeMap<>(), new ArrayList<>());
        for (String line : text.lines().toList()) {
            String[] words = line.split(" ", 4);
            if (line.startsWith("# TYPE ")) scrape.types.put(words[2], words[3]);
            else if (line.startsWith("# HELP ")) scrape.help.put(words[2], words.length < 4 ? "" : words[3]);
            else scrape.samples.add(sample(line));
        }
        return scrape;
    }

    private static Sample sample(String line) {
        Matcher sample = SAMPLE.matcher(line);
        if (!sample.matches()) throw new AssertionError("not a sample: " + line);
        Map<String, String> labels = new LinkedHashMap<>();
        if (sample.group(2) != null) {
            Matcher label = LABEL.matcher(sample.group(2));
            while (label.find()) labels.put(label.group(1), label.group(2));
        }
        return new Sample(sample.group(1), labels, value(sample.group(3)));
    }

    private static double value(String text) {
        return text.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(text);
    }

    /** The family that a sample belongs to. */
    String family(String name) {
        if (types.containsKey(name)) return name;
        return name.replaceFirst("_(bucket|count|sum)$", "");
    }

    Set<String> labelsOf(String family) {
        Set<String> labels = new TreeSet<>();
        for (Sample sample : samples)
            if (family(sample.name()).equals(family))
                labels.addAll(sample.labels().keySet());
        labels.remove("le");
        return labels;
    }

    /** The sum of all samples of this name that have these labels, given as name, value, name, value. */
    double sum(String name, String... labels) {
        double sum = 0;
        for (Sample sample : samples) if (sample.name().equals(name) && has(sample, labels)) sum += sample.value();
        return sum;
    }

    private static boolean has(Sample sample, String... labels) {
        for (int i = 0; i < labels.length; i += 2)
            if (!labels[i + 1].equals(sample.labels().get(labels[i]))) return false;
        return true;
    }
}
