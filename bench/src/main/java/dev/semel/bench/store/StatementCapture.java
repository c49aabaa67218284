package dev.semel.bench.store;

import dev.semel.bench.store.CapturedStatement.Parameter;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.store.jdbc.PostgresKeyStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Listens in on what the PostgreSQL store says for one claim and one completion: the very statements, not copies. */
final class StatementCapture {
    private final List<CapturedStatement> captured = new ArrayList<>();
    private final IdentityHashMap<Object, Parameter.Many> arrays = new IdentityHashMap<>();
    private final KeyId id;
    private long revision = -1;

    private StatementCapture(KeyId id) {
        this.id = id;
    }

    /** The statement of a claim, then that of its completion, as sent for a caller that is alone. */
    static List<CapturedStatement> claimAndComplete(DataSource database) {
        String run = "captured-" + System.nanoTime();
        StatementCapture capture = new StatementCapture(KeyWork.id(run, 0));
        try (PostgresKeyStore store = PostgresKeyStore.open(capture.proxy(DataSource.class, database))) {
            KeyWork work = new KeyWork(store, run);
            capture.captured.clear();
            KeyRecord claimed = work.claim(0);
            capture.revision = claimed.revision();
            work.complete(claimed, 0);
        }
        if (capture.captured.size() != 2)
            throw new IllegalStateException("A claim and its completion are two statements, not " + capture.captured);
        return capture.captured;
    }

    private <T> T proxy(Class<T> type, Object target) {
        Object proxy =
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    Object answer = call(target, method, arguments);
                    if (answer instanceof Array && arguments != null)
                        arrays.put(answer, many((String) arguments[0], (Object[]) arguments[1]));
                    if (answer instanceof Connection connection) return proxy(Connection.class, connection);
                    if (answer instanceof PreparedStatement statement && arguments != null)
                        return heard(statement, (String) arguments[0]);
                    return answer;
                });
        return type.cast(proxy);
    }

    private PreparedStatement heard(PreparedStatement statement, String sql) {
        Map<Integer, Parameter> parameters = new TreeMap<>();
        return (PreparedStatement) Proxy.newProxyInstance(
                PreparedStatement.class.getClassLoader(),
                new Class<?>[] {PreparedStatement.class},
                (self, method, arguments) -> {
                    if (isSetter(method, arguments)) note(parameters, method, arguments);
                    if (method.getName().startsWith("execute"))
                        captured.add(new CapturedStatement(sql, List.copyOf(parameters.values())));
                    return call(statement, method, arguments);
                });
    }

    private static boolean isSetter(Method method, Object @Nullable [] arguments) {
        return method.getName().startsWith("set")
                && arguments != null
                && arguments.length >= 2
                && arguments[0] instanceof Integer;
    }

    private void note(Map<Integer, Parameter> parameters, Method method, Object[] arguments) {
        Object[] rest = Arrays.copyOfRange(arguments, 1, arguments.length);
        parameters.put((Integer) arguments[0], parameter(method.getName(), rest));
    }

    private Parameter parameter(String setter, Object[] arguments) {
        Object value = arguments[0];
        if (value instanceof byte[] bytes && Arrays.equals(bytes, id.digest())) return new Parameter.Digest();
        if (value instanceof String text && text.equals(id.key())) return new Parameter.Key();
        if (value instanceof Long number && number == revision) return new Parameter.Revision();
        if (value instanceof Array array && arrays.containsKey(array)) return arrays.get(array);
        return new Parameter.Same(setter, arguments);
    }

    private Parameter.Many many(String type, Object[] elements) {
        List<Parameter> parameters = new ArrayList<>();
        for (Object element : elements) parameters.add(parameter("setObject", new Object[] {element}));
        return new Parameter.Many(type, parameters);
    }

    private static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }
}
