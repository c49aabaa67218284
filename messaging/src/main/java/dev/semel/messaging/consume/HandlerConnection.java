package dev.semel.messaging.consume;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/**
 * A connection as a handler sees it: it cannot end the transaction, which is also that of the messages beside it. Were one committed
 * half-way, messages that no handler has seen yet would count as received.
 */
final class HandlerConnection implements InvocationHandler {
    private final Connection transaction;

    private HandlerConnection(Connection transaction) {
        this.transaction = transaction;
    }

    static Connection of(Connection transaction) {
        return (Connection) Proxy.newProxyInstance(
                HandlerConnection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                new HandlerConnection(transaction));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        boolean ends = switch (method.getName()) {
            case "commit", "setAutoCommit", "abort", "close" -> true;
            case "rollback" -> arguments == null;
            default -> false;
        };
        if (ends)
            throw new IllegalStateException("A handler has called " + method.getName()
                    + ": the transaction is committed for it when it returns, together"
                    + " with the note that the message was received, and rolled back when it throws.");
        try {
            return method.invoke(transaction, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
