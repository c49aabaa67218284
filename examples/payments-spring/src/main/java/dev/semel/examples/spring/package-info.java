/** A payment service with Spring Boot: customers are charged once, also when everything is killed in between. */
@NullMarked
package dev.semel.examples.spring;

import org.jspecify.annotations.NullMarked;
