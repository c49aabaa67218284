package dev.semel.cli;

import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** What the admin API tells about a key, as far as it is about doubts. */
record DoubtHistory(boolean wasInDoubt, boolean isInDoubt, boolean wasEndedByProbe, boolean isOver) {
    static final DoubtHistory UNKNOWN = new DoubtHistory(false, false, false, false);

    static DoubtHistory of(Map<?, ?> story) {
        boolean inDoubt = "in-doubt".equals(story.get("state"));
        return new DoubtHistory(
                inDoubt || has(story, remark -> text(remark, "what").startsWith("in doubt")),
                inDoubt,
                has(
                        story,
                        remark -> text(remark, "by").startsWith("probe")
                                && text(remark, "what").startsWith("it did")),
                "done".equals(story.get("state")));
    }

    private static boolean has(Map<?, ?> story, Predicate<Map<?, ?>> wanted) {
        return story.get("history") instanceof List<?> remarks
                && remarks.stream().anyMatch(each -> each instanceof Map<?, ?> remark && wanted.test(remark));
    }

    private static String text(Map<?, ?> remark, String member) {
        return String.valueOf(remark.get(member));
    }
}
