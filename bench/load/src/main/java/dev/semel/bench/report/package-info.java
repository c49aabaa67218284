/** What benchmarks found: kept as JSON, shown as a table on a terminal, in Markdown, and as a chart. */
@NullMarked
package dev.semel.bench.report;

import org.jspecify.annotations.NullMarked;
