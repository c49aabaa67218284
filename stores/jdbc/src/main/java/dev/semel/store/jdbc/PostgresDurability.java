package dev.semel.store.jdbc;

import dev.semel.core.store.StoreTraits.Survives;

/** What a commit survives, as the server says itself. */
final class PostgresDurability {
    private static final String QUERY = """
        select current_setting('synchronous_commit') as synchronous_commit, current_setting('fsync') as fsync,
            current_setting('full_page_writes') as full_page_writes
        """;

    private PostgresDurability() {}

    /** Without synchronous commit, the server's own crash loses what it has answered in the last moments. */
    static Survives of(StatementExecutor statements) {
        return statements.read(QUERY, parameters -> {}, row -> {
            row.next();
            if (row.getString("synchronous_commit").equals("off")) return Survives.NOTHING;
            boolean synced = row.getString("fsync").equals("on")
                    && row.getString("full_page_writes").equals("on");
            return synced ? Survives.POWER_LOSS : Survives.PROCESS_DEATH;
        });
    }
}
