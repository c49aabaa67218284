package dev.semel.spring;

import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The application's own DataSource, when the keys are in its database.
 *
 * @param source null when {@code semel.store} names another store
 */
record KeyDataSource(@Nullable DataSource source) {}
