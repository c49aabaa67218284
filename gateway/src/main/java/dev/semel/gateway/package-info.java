/** The stand-alone gateway: composition root, request path, forwarding. */
@NullMarked
package dev.semel.gateway;

import org.jspecify.annotations.NullMarked;
