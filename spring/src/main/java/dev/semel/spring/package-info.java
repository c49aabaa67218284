/** Semel in a Spring Boot application: {@code @Once}, on controllers and on methods of any bean. */
@NullMarked
package dev.semel.spring;

import org.jspecify.annotations.NullMarked;
