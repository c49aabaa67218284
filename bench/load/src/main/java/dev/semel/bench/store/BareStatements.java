package dev.semel.bench.store;

/**
 * A claim and its completion as one would write them by hand: a row, a statement, a commit each, with nothing that a first request does
 * not need. They write the store's own table, and as many bytes as the store does.
 */
final class BareStatements {
    /** Of the id, the key and the fingerprint. Returns the revision. */
    static final String CLAIM = """
        insert into semel_key (id, tenant, operation, key, fingerprint, holder, lease_until,
            token, revision, attempt, state, since)
        values ({id}, '', 'POST /v1/charges', {key}, {fingerprint}, 'bench',
            statement_timestamp() + interval '30 seconds',
            extract(epoch from statement_timestamp()) * 1000000,
            extract(epoch from statement_timestamp()) * 1000000,
            1, 1, statement_timestamp())
        on conflict (id) do nothing
        returning revision
        """;

    /** Of the outcome, the id and the revision. */
    static final String COMPLETE = """
        update semel_key set
            state = 2, since = statement_timestamp(), revision = revision + 1, holder = null, lease_until = null,
            replay_until = statement_timestamp() + interval '1 day',
            forget_at = statement_timestamp() + interval '31 days',
            outcome = {outcome}
        where id = {id} and revision = {revision}
        returning revision
        """;

    private BareStatements() {}

    static String forJdbc(String statement) {
        return statement.replaceAll("\\{[a-z]+}", "?");
    }
}
