package dev.semel.torture.system;

import org.jspecify.annotations.Nullable;

/**
 * What is behind each door, and what starts the server of the store.
 *
 * @param servers null when the store needs none of them
 */
public record Programs(
        DoorProgram gateway, DoorProgram library, @Nullable ServersProgram servers) {}
