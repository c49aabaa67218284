package dev.semel.spring;

import java.util.List;

/** Every {@link Once} of an application. Complete when the application has started. */
@FunctionalInterface
public interface OnceDeclarations {
    List<OnceDeclaration> all();
}
