/** The same little shop four times: a payment joins the transaction of plain JDBC, Spring, jOOQ and JDBI. */
@NullMarked
package dev.semel.examples.joined;

import org.jspecify.annotations.NullMarked;
