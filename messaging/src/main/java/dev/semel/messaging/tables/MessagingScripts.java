package dev.semel.messaging.tables;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** The numbered scripts that make the tables of messaging. One that was released never changes. */
final class MessagingScripts {
    private final String folder;
    private final String versions;
    private final List<String> names;

    /**
     * @param folder where they are, beside this class
     * @param versions the table that says which have run
     */
    MessagingScripts(String folder, String versions, List<String> names) {
        this.folder = folder;
        this.versions = versions;
        this.names = names;
    }

    boolean isComplete(int version) {
        if (version > names.size())
            throw new IllegalStateException("The tables of Semel's messaging in this database are of version " + version
                    + ", made by a newer Semel; this one knows them up to version " + names.size() + ".");
        return version == names.size();
    }

    /**
     * What is missing after this version, as SQL.
     *
     * @param shards what the scripts say of them
     */
    String after(int version, String shards) {
        StringBuilder sql = new StringBuilder();
        for (int next = version + 1; next <= names.size(); next++)
            sql.append(script(next).replace("{shards}", shards));
        return sql.toString();
    }

    /** All at once: what is in quotes may have semicolons. */
    void run(Connection connection, int version, String shards, PostgresSchema schema) throws SQLException {
        if (isComplete(version)) return;
        try (Statement statement = connection.createStatement()) {
            boolean more = statement.execute(schema.in(after(version, shards)));
            while (more || statement.getUpdateCount() >= 0) more = statement.getMoreResults();
        }
    }

    /** One statement after the other, each of which ends with a semicolon at the end of a line. */
    void runSingly(Connection connection, int version, String shards) throws SQLException {
        if (isComplete(version)) return;
        try (Statement statement = connection.createStatement()) {
            for (String sql : after(version, shards).split(";\\R", -1)) if (!sql.isBlank()) statement.execute(sql);
        }
    }

    static int number(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getInt(1);
        }
    }

    private String script(int version) {
        String name = names.get(version - 1);
        try (InputStream script = MessagingScripts.class.getResourceAsStream(folder + "/" + name)) {
            if (script == null) throw new IllegalStateException("The script " + name + " is not in the jar.");
            return new String(script.readAllBytes(), StandardCharsets.UTF_8) + "\ninsert into " + versions
                    + " (version) values (" + version + ");\n";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
