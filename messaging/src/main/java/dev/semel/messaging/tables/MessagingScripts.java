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
    private final List<String> names;

    /** @param folder where they are, beside this class */
    MessagingScripts(String folder, List<String> names) {
        this.folder = folder;
        this.names = names;
    }

    boolean isComplete(int version) {
        if (version > names.size())
            throw new IllegalStateException("The tables of Semel's messaging in this database are of version " + version
                    + ", made by a newer Semel; this one knows them up to version " + names.size() + ".");
        return version == names.size();
    }

    /** What is missing after this version, as SQL. */
    String after(int version, int shards) {
        StringBuilder sql = new StringBuilder();
        for (int next = version + 1; next <= names.size(); next++)
            sql.append(script(next).replace("{shards}", Integer.toString(shards)));
        return sql.toString();
    }

    void run(Connection connection, int version, int shards, PostgresSchema schema) throws SQLException {
        if (isComplete(version)) return;
        try (Statement statement = connection.createStatement()) {
            boolean more = statement.execute(schema.in(after(version, shards)));
            while (more || statement.getUpdateCount() >= 0) more = statement.getMoreResults();
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
            return new String(script.readAllBytes(), StandardCharsets.UTF_8)
                    + "\ninsert into semel.messaging_schema (version) values (" + version + ");\n";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
