package dev.semel.bench.store;

import java.util.List;

/**
 * A statement as a store sent it.
 *
 * @param parameters in order; what stands for the key is marked, so that it can be sent for other keys
 */
record CapturedStatement(String sql, List<Parameter> parameters) {

    sealed interface Parameter {
        /** The address of the key. */
        record Digest() implements Parameter {}

        /** The key itself. */
        record Key() implements Parameter {}

        /** The revision, or the token, that an earlier statement returned. */
        record Revision() implements Parameter {}

        /** The same for all keys. */
        record Same(String setter, Object[] arguments) implements Parameter {}

        /** An array, element by element. */
        record Many(String type, List<Parameter> elements) implements Parameter {}
    }
}
