package dev.semel.spring;

import java.lang.reflect.Method;

/** The handler methods of controllers, and what {@link Once} says of them. */
interface OnceHandlers {
    /** @throws OnceMisuseException when what is said of this handler cannot be kept */
    void checked(Method method, Class<?> target);
}
