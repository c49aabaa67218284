package dev.semel.spring;

import dev.semel.core.Semel;
import dev.semel.core.key.Guarantee;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Methods with {@link Guarantee#JOINED} inside their own transaction, in the database where the keys are. What can be known
 * at start is checked then.
 */
final class Joining {
    /** What is done on the connection of the transaction. */
    interface Work {
        @Nullable
        Object on(Connection transaction) throws Exception;
    }

    private static final Set<Integer> WITHOUT_TRANSACTION =
            Set.of(TransactionDefinition.PROPAGATION_NEVER, TransactionDefinition.PROPAGATION_NOT_SUPPORTED);

    private final Semel semel;
    private final KeyDataSource keys;
    private final BeanFactory beans;
    private final AnnotationTransactionAttributeSource transactions = new AnnotationTransactionAttributeSource(false);
    private final Map<Method, DataSource> checked = new ConcurrentHashMap<>();

    Joining(Semel semel, KeyDataSource keys, BeanFactory beans) {
        this.semel = semel;
        this.keys = keys;
        this.beans = beans;
    }

    /**
     * @param afterCommit run in another thread when what the work gave is committed
     * @param afterEnd run when the transaction is over, however it ended; or when none was joined
     */
    @Nullable
    Object join(Method method, Class<?> target, Work work, Runnable afterCommit, Runnable afterEnd) throws Exception {
        Ending ending = new Ending(afterCommit, afterEnd);
        try {
            return join(method, target, work, ending);
        } finally {
            if (!ending.registered) afterEnd.run();
        }
    }

    private @Nullable Object join(Method method, Class<?> target, Work work, Ending ending) throws Exception {
        DataSource source = checked(method, target);
        if (!TransactionSynchronizationManager.isActualTransactionActive())
            throw new OnceMisuseException(
                    method, "there is no transaction to join, and so nothing ran. Its propagation must begin one.");
        Connection connection = DataSourceUtils.getConnection(source);
        try {
            if (!DataSourceUtils.isConnectionTransactional(connection, source))
                throw new OnceMisuseException(
                        method, "the transaction is not one of the database where the keys are. Nothing ran.");
            if (TransactionSynchronizationManager.isSynchronizationActive()) {
                TransactionSynchronizationManager.registerSynchronization(ending);
                ending.registered = true;
            }
            Object outcome = work.on(connection);
            ending.worked = true;
            return outcome;
        } finally {
            DataSourceUtils.releaseConnection(connection, source);
        }
    }

    /** @throws OnceMisuseException when this method has no transaction that it could join */
    DataSource checked(Method method, Class<?> target) {
        DataSource known = checked.get(method);
        return known != null ? known : checked.computeIfAbsent(method, first -> check(first, target));
    }

    private DataSource check(Method method, Class<?> target) {
        TransactionAttribute attribute = transactions.getTransactionAttribute(method, target);
        if (attribute == null)
            throw new OnceMisuseException(method, "a joined method needs @Transactional: it joins that transaction.");
        if (WITHOUT_TRANSACTION.contains(attribute.getPropagationBehavior()))
            throw new OnceMisuseException(method, "its @Transactional says to run without a transaction.");
        if (attribute.isReadOnly())
            throw new OnceMisuseException(method, "its transaction is read-only, so its outcome cannot be recorded.");
        DataSource source = keys.source() == null ? null : plain(keys.source());
        if (source == null || semel.store().joining() == null)
            throw new OnceMisuseException(
                    method,
                    "the keys are not in the application's database, so no transaction can be joined. Remove"
                            + " semel.store, or choose another guarantee.");
        if (owner(method, attribute) instanceof ResourceTransactionManager owner
                && owner.getResourceFactory() instanceof DataSource other
                && plain(other) != source)
            throw new OnceMisuseException(
                    method, "its transaction manager is that of another DataSource than the one with the keys.");
        return source;
    }

    private TransactionManager owner(Method method, TransactionAttribute attribute) {
        String qualifier = attribute.getQualifier();
        if (qualifier != null && !qualifier.isEmpty())
            return BeanFactoryAnnotationUtils.qualifiedBeanOfType(beans, TransactionManager.class, qualifier);
        try {
            return beans.getBean(PlatformTransactionManager.class);
        } catch (NoUniqueBeanDefinitionException e) {
            String names = String.join(
                    ", ", ((ListableBeanFactory) beans).getBeanNamesForType(PlatformTransactionManager.class));
            throw new OnceMisuseException(
                    method,
                    "there are several transaction managers (" + names
                            + "): name one in @Transactional, or mark one @Primary.",
                    e);
        }
    }

    private static DataSource plain(DataSource source) {
        DataSource target =
                source instanceof TransactionAwareDataSourceProxy proxy ? proxy.getTargetDataSource() : null;
        return target != null ? target : source;
    }

    private static final class Ending implements TransactionSynchronization {
        private final Runnable afterCommit;
        private final Runnable afterEnd;
        private boolean registered;
        private boolean worked;

        Ending(Runnable afterCommit, Runnable afterEnd) {
            this.afterCommit = afterCommit;
            this.afterEnd = afterEnd;
        }

        @Override
        public void afterCommit() {
            // Not here: this thread still has its connection, and may not ask its pool for a second one.
            if (worked) Thread.ofVirtual().name("semel-committed").start(afterCommit);
        }

        @Override
        public void afterCompletion(int status) {
            afterEnd.run();
        }
    }
}
