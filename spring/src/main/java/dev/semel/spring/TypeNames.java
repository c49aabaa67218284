package dev.semel.spring;

import org.jspecify.annotations.Nullable;

/** Types by their names, of libraries that may not be there. */
final class TypeNames {
    private TypeNames() {}

    /** Whether a type is the one of this name, or a subtype of it. */
    static boolean isA(@Nullable Class<?> type, String name) {
        if (type == null) return false;
        if (type.getName().equals(name) || isA(type.getSuperclass(), name)) return true;
        for (Class<?> each : type.getInterfaces()) if (isA(each, name)) return true;
        return false;
    }
}
