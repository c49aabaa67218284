/** A real MariaDB server for tests: no Docker, nothing installed, and it may be killed at any moment. */
@NullMarked
package dev.semel.testkit.mariadb;

import org.jspecify.annotations.NullMarked;
