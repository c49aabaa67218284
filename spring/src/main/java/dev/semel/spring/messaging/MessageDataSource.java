package dev.semel.spring.messaging;

import java.lang.reflect.Method;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.util.ReflectionUtils;

/**
 * The database of the application, where its messages are: a message is written in the transaction of what it tells of, so never in
 * the store of {@code semel.store}.
 */
record MessageDataSource(DataSource source) {
    private static final String JTA = "org.springframework.transaction.jta.JtaTransactionManager";

    static MessageDataSource one(ObjectProvider<DataSource> sources) {
        List<DataSource> all = sources.stream().toList();
        DataSource one = sources.getIfUnique();
        if (one != null) return of(one);
        throw new OutboxMisuseException(
                all.isEmpty()
                        ? "There is no DataSource, and messages are kept in the database of the application."
                        : "There are " + all.size()
                                + " DataSources, and Semel cannot tell in which one to keep messages:"
                                + " mark one @Primary, or define the beans Outbox, OutboxTemplate and Inbox.");
    }

    static MessageDataSource of(DataSource source) {
        return new MessageDataSource(plain(source));
    }

    private static DataSource plain(DataSource source) {
        DataSource target =
                source instanceof TransactionAwareDataSourceProxy proxy ? proxy.getTargetDataSource() : null;
        return target != null ? target : source;
    }

    /** Whether transactions of this manager are transactions of this database. With JTA its connections say so. */
    boolean isManagedBy(TransactionManager manager) {
        if (isJta(manager.getClass())) return true;
        DataSource managed = sourceOf(manager);
        return managed != null && plain(managed) == source;
    }

    static boolean isJta(@Nullable Class<?> type) {
        return type != null && (type.getName().equals(JTA) || isJta(type.getSuperclass()));
    }

    /** Those of JPA and Hibernate have an EntityManagerFactory for their resource, and tell the DataSource besides. */
    private static @Nullable DataSource sourceOf(TransactionManager manager) {
        if (manager instanceof ResourceTransactionManager it && it.getResourceFactory() instanceof DataSource source)
            return source;
        Method told = ReflectionUtils.findMethod(manager.getClass(), "getDataSource");
        if (told == null || !DataSource.class.isAssignableFrom(told.getReturnType())) return null;
        ReflectionUtils.makeAccessible(told);
        return (DataSource) ReflectionUtils.invokeMethod(told, manager);
    }
}
