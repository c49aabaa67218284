package dev.semel.spring;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionStatus;

/**
 * The connection of a transaction that Spring ends. A store that cannot let a commit fail ends the connection of a transaction
 * that must not be committed; here the transaction is marked instead, so that Spring rolls it back and the connection stays.
 */
final class MarkedConnection implements InvocationHandler {
    private static final String ABORT = "abort";

    private final Connection connection;
    private final TransactionStatus transaction;

    private MarkedConnection(Connection connection, TransactionStatus transaction) {
        this.connection = connection;
        this.transaction = transaction;
    }

    static Connection of(Connection connection, TransactionStatus transaction) {
        return (Connection) Proxy.newProxyInstance(
                MarkedConnection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                new MarkedConnection(connection, transaction));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (method.getName().equals(ABORT)) {
            transaction.setRollbackOnly();
            return null;
        }
        try {
            return method.invoke(connection, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }
}
