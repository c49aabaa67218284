package dev.semel.messaging.tables;

import java.util.regex.Pattern;

/** The schema in which the tables and functions of messaging are. What is said about them is written for the usual one. */
public record PostgresSchema(String name) {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,62}");

    /** Where they are unless somebody says otherwise. */
    public static final PostgresSchema USUAL = new PostgresSchema("semel");

    /** @throws IllegalArgumentException when no schema can have this name here */
    public PostgresSchema {
        if (!NAME.matcher(name).matches())
            throw new IllegalArgumentException("A schema for messages has a name of 1 to 63 lower-case letters, digits"
                    + " and underscores, such as semel: not \"" + name.replaceAll("\\p{Cntrl}", "?") + "\".");
    }

    /** The same about the tables of this schema. */
    String in(String sql) {
        return name.equals(USUAL.name) ? sql : sql.replace("semel.", name + ".");
    }
}
