/** What has to hold of messages, said without a word of what is checked. */
@NullMarked
package dev.semel.torture.messages.check;

import org.jspecify.annotations.NullMarked;
