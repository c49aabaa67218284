package dev.semel.spring;

import java.lang.reflect.Method;

/** {@link Once} stands where it cannot be kept. Thrown at start wherever that is seen then; nothing ran. */
public final class OnceMisuseException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    OnceMisuseException(String problem) {
        super(problem);
    }

    OnceMisuseException(Method method, String problem) {
        this("@Once on " + name(method) + ": " + problem);
    }

    OnceMisuseException(Method method, String problem, Throwable cause) {
        this(method, problem);
        initCause(cause);
    }

    private static String name(Method method) {
        return method.getDeclaringClass().getName() + "." + method.getName();
    }
}
