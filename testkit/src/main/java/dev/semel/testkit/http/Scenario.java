package dev.semel.testkit.http;

import java.util.List;

/**
 * A story on the wire: steps in their order, the last of which counts the effects. Told against a {@link Scene}.
 * Immutable.
 */
public record Scenario(String name, List<Step> steps) {

    /** One thing that is done or checked. */
    public record Step(String what, Deed deed) {}

    /** How a step is carried out. */
    public interface Deed {
        void in(Scene scene) throws Exception;
    }

    /** Begins a scenario; {@link Draft#effects} ends it. */
    public static Draft scenario(String name) {
        return new Draft(name);
    }

    /** @throws AssertionError when a step fails: with the step, what was said before, and what the upstream saw */
    void tell(Scene scene) {
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            scene.say("-- " + step.what());
            try {
                step.deed().in(scene);
            } catch (Exception | AssertionError e) {
                throw new AssertionError(
                        "\"" + name + "\", step " + (i + 1) + " (" + step.what() + "): " + e.getMessage() + "\n\n"
                                + scene.transcript(),
                        e);
            }
        }
    }
}
