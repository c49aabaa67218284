package dev.semel.testkit.messaging;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A database that one of those who use it cannot reach for a while. */
final class CuttableDatabase {
    private final DataSource database;
    private volatile boolean cut;

    CuttableDatabase(DataSource database) {
        this.database = database;
    }

    void cut(boolean cut) {
        this.cut = cut;
    }

    DataSource asDataSource() {
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    if (cut && method.getName().equals("getConnection")) throw new SQLException("cut off", "08001");
                    try {
                        return method.invoke(database, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
