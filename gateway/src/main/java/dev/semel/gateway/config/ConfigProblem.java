package dev.semel.gateway.config;

/** Something wrong in a configuration file, and where. Lines and columns count from 1. */
public record ConfigProblem(String file, int line, int column, String message) {
    @Override
    public String toString() {
        return file + ":" + line + ":" + column + ": " + message;
    }
}
