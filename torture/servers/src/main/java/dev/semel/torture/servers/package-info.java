/** The servers of a torture run: those whose programs and jars may not come onto the class path of the product. */
@NullMarked
package dev.semel.torture.servers;

import org.jspecify.annotations.NullMarked;
