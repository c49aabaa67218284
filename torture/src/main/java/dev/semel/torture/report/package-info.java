/** What a run was and what came of it, for people and for programs. */
@NullMarked
package dev.semel.torture.report;

import org.jspecify.annotations.NullMarked;
