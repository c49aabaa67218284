package dev.semel.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What status rules believe of an answer, and why, in sentences for people. */
public final class StatusMeaning {
    private static final Map<String, String> NOT_BEGUN = Map.of(
            "400", "the parameters are not valid",
            "401", "not authenticated",
            "403", "not allowed",
            "407", "not authenticated to a proxy",
            "408", "the request did not arrive in time",
            "409", "another request is under way",
            "425", "too early",
            "429", "too many requests",
            "503", "not available now");

    private StatusMeaning() {}

    public static List<String> of(StatusRules rules) {
        List<String> sentences = new ArrayList<>();
        add(
                "replayed: ",
                StatusClass.STORE,
                "the operation is over, whatever the answer says; 500 may come after the" + " effect",
                rules,
                sentences);
        add(
                "the key is freed and the next attempt runs: ",
                StatusClass.RELEASE,
                "such an answer says that the operation" + " did not begin",
                rules,
                sentences);
        add(
                "the outcome is unknown: ",
                StatusClass.DOUBT,
                "a proxy got no proper answer, and cannot know whether the" + " operation ran",
                rules,
                sentences);
        rules.distrusted()
                .forEach((status, distrust) ->
                        sentences.add("the outcome is unknown: " + status + ", when " + distrust.when()));
        return sentences;
    }

    private static void add(String effect, StatusClass verdict, String why, StatusRules rules, List<String> sentences) {
        List<String> statuses = rules.listed(verdict);
        if (statuses.isEmpty()) return;
        boolean isPreset = !rules.name().equals("custom");
        String listed = statuses.stream()
                .map(status -> verdict == StatusClass.RELEASE && NOT_BEGUN.containsKey(status)
                        ? status + " (" + NOT_BEGUN.get(status) + ")"
                        : status)
                .collect(Collectors.joining(", "));
        sentences.add(effect + listed + (isPreset ? "; " + why : "; so this configuration says"));
    }
}
