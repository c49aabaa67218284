/** Real servers as child processes of a test: started on a free port, killed, paused, and gone when the test is. */
@NullMarked
package dev.semel.testkit.server;

import org.jspecify.annotations.NullMarked;
