/** A filter that gives an application inside a servlet server what the gateway gives one behind it. */
@NullMarked
package dev.semel.servlet;

import org.jspecify.annotations.NullMarked;
