package dev.semel.core.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.semel.core.store.StoreTraits.Survives;
import org.junit.jupiter.api.Test;

class DeclaredTraitsTest {
    private static final DeclaredTraits DECLARED = DeclaredTraits.always(
                    "a store",
                    StoreTraits.surviving(Survives.POWER_LOSS).withoutCounting().withNotifying())
            .atLeast(Survives.PROCESS_DEATH, "its settings");

    @Test
    void an_open_store_has_the_declared_traits_and_survives_what_it_found() {
        assertEquals(DECLARED.usual(), DECLARED.surviving(Survives.POWER_LOSS));
        assertEquals(DECLARED.usual().withSurvives(Survives.PROCESS_DEATH), DECLARED.surviving(Survives.PROCESS_DEATH));
    }

    @Test
    void nothing_outside_of_what_was_declared_is_promised() {
        assertThrows(IllegalArgumentException.class, () -> DECLARED.surviving(Survives.NOTHING));
        assertThrows(IllegalArgumentException.class, () -> DECLARED.surviving(Survives.NODE_LOSS));
    }

    @Test
    void what_decides_is_named_exactly_where_there_is_something_to_decide() {
        assertThrows(IllegalArgumentException.class, () -> DECLARED.atLeast(Survives.NOTHING, ""));
        assertThrows(IllegalArgumentException.class, () -> DECLARED.atLeast(Survives.POWER_LOSS, "settings"));
        assertThrows(IllegalArgumentException.class, () -> DECLARED.atLeast(Survives.NODE_LOSS, "settings"));
    }
}
