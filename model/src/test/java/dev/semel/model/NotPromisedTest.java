package dev.semel.model;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The limits that are written down are limits indeed. Should one of these fail, more can be promised. */
class NotPromisedTest {
    @TempDir
    Path folder;

    @Test
    void a_pause_between_the_look_at_the_lease_and_the_first_byte() throws Exception {
        Model.atMostOnce()
                .with("Probers", "{p}")
                .breaking("no pause after the look")
                .check(folder)
                .breaks("AtMostOneEffect");
    }

    /** The old request may arrive first: then both are in the order of their tokens. */
    @Test
    void the_same_pause_also_when_the_upstream_checks_tokens() throws Exception {
        Model.atMostOnce()
                .with("Probers", "{p}")
                .with("FencedUpstream", "TRUE")
                .breaking("no pause after the look")
                .check(folder)
                .breaks("AtMostOneEffect");
    }

    @Test
    void over_a_fleet_a_probe_that_comes_before_the_upstream_has_begun() throws Exception {
        Model.atMostOnce()
                .with("Probers", "{p}")
                .with("AfterCovers", "\"abandoned\"")
                .check(folder)
                .breaks("AtMostOneEffect");
    }

    @Test
    void a_key_that_an_operator_takes_from_its_holder() throws Exception {
        Model.atMostOnce()
                .with("Operator", "TRUE")
                .breaking("no force")
                .check(folder)
                .breaks("AtMostOneEffect");
    }

    @Test
    void a_probe_that_finds_what_happened_in_an_earlier_life_of_the_key() throws Exception {
        Model.atMostOnce()
                .with("Probers", "{p}")
                .with("Lives", 2)
                .breaking("probe knows lives apart")
                .check(folder)
                .breaks("OnlyTheHolderWrites");
    }
}
