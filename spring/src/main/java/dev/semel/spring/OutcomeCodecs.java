package dev.semel.spring;

import dev.semel.core.Codec;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * How outcomes of methods with {@link Once} are recorded. A bean of this type takes the place of {@link JsonOutcomes}.
 */
@FunctionalInterface
public interface OutcomeCodecs {

    /**
     * @param returned what a method returns, type parameters resolved; {@code void} too
     * @throws IllegalArgumentException when such a value cannot be recorded, or not be made again
     */
    Codec<@Nullable Object> codec(Type returned);
}
