/** Key stores on relational databases, over JDBC. */
@NullMarked
package dev.semel.store.jdbc;

import org.jspecify.annotations.NullMarked;
