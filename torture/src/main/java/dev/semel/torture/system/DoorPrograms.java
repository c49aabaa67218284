package dev.semel.torture.system;

/** What is behind each door. */
public record DoorPrograms(DoorProgram gateway, DoorProgram library) {}
