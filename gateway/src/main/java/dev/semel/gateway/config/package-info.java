/** The configuration: read from YAML with line numbers, checked whole, turned into policies. */
@NullMarked
package dev.semel.gateway.config;

import org.jspecify.annotations.NullMarked;
