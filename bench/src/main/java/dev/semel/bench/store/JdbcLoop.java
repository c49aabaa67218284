package dev.semel.bench.store;

import dev.semel.bench.loop.Operation;
import dev.semel.bench.store.CapturedStatement.Parameter;
import dev.semel.core.key.KeyId;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;

/**
 * What the store does for a first request, without the store: the same two statements, prepared once on a connection for
 * each caller, and nothing around them.
 */
final class JdbcLoop implements Operation, AutoCloseable {
    private final DataSource database;
    private final List<CapturedStatement> statements;
    private final String run;
    private final Queue<Session> idle = new ConcurrentLinkedQueue<>();

    JdbcLoop(DataSource database, List<CapturedStatement> statements, String run) {
        this.database = database;
        this.statements = statements;
        this.run = run;
    }

    private record Session(Connection connection, PreparedStatement claim, PreparedStatement complete) {}

    @Override
    public void run(long number) throws Exception {
        Session session = idle.poll();
        if (session == null) session = connect();
        KeyId id = KeyWork.id(run, number);
        long revision = execute(session, 0, id, 0);
        execute(session, 1, id, revision);
        idle.add(session);
    }

    private Session connect() throws SQLException {
        Connection connection = database.getConnection();
        return new Session(
                connection,
                connection.prepareStatement(statements.get(0).sql()),
                connection.prepareStatement(statements.get(1).sql()));
    }

    private long execute(Session session, int which, KeyId id, long revision) throws Exception {
        PreparedStatement statement = which == 0 ? session.claim() : session.complete();
        List<Parameter> parameters = statements.get(which).parameters();
        for (int i = 0; i < parameters.size(); i++) bind(session, statement, i + 1, parameters.get(i), id, revision);
        try (ResultSet rows = statement.executeQuery()) {
            if (!rows.next()) throw new SQLException("No row was written.");
            return rows.getLong("revision");
        }
    }

    private static void bind(
            Session session, PreparedStatement statement, int index, Parameter parameter, KeyId id, long revision)
            throws Exception {
        switch (parameter) {
            case Parameter.Digest it -> statement.setBytes(index, id.digest());
            case Parameter.Key it -> statement.setString(index, id.key());
            case Parameter.Revision it -> statement.setLong(index, revision);
            case Parameter.Same it -> setter(it).invoke(statement, joined(index, it.arguments()));
            case Parameter.Many it -> {
                Object[] elements = it.elements().stream()
                        .map(element -> value(element, id, revision))
                        .toArray();
                statement.setArray(index, session.connection().createArrayOf(it.type(), elements));
            }
        }
    }

    private static Object value(Parameter parameter, KeyId id, long revision) {
        return switch (parameter) {
            case Parameter.Digest it -> id.digest();
            case Parameter.Key it -> id.key();
            case Parameter.Revision it -> revision;
            case Parameter.Same it -> it.arguments()[0];
            case Parameter.Many it -> throw new IllegalArgumentException("An array of arrays.");
        };
    }

    private static Method setter(Parameter.Same parameter) throws NoSuchMethodException {
        return Arrays.stream(PreparedStatement.class.getMethods())
                .filter(method -> method.getName().equals(parameter.setter())
                        && method.getParameterCount() == parameter.arguments().length + 1
                        && (parameter.arguments().length == 1 || method.getParameterTypes()[2] == int.class))
                .findFirst()
                .orElseThrow(() -> new NoSuchMethodException(parameter.setter()));
    }

    private static Object[] joined(int index, Object[] arguments) {
        Object[] all = new Object[arguments.length + 1];
        all[0] = index;
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return all;
    }

    @Override
    public void close() throws SQLException {
        for (Session session; (session = idle.poll()) != null; )
            session.connection().close();
    }
}
