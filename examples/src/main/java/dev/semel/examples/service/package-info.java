/** Runs an operation once through the service API, with nothing but what Java brings along. */
@NullMarked
package dev.semel.examples.service;

import org.jspecify.annotations.NullMarked;
