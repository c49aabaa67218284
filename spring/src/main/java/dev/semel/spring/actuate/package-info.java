/** What an application shows of its engine: health, an endpoint, meters. */
@NullMarked
package dev.semel.spring.actuate;

import org.jspecify.annotations.NullMarked;
