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
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ReflectionUtils;

/**
 * Methods with {@link Guarantee#JOINED} inside their own transaction, in the database where the keys are. What can be known
 * at start is checked then.
 */
final class Joining {
    /** What is done on the connection of the transaction. */
    interface Work {
        /** @param flush what is only noted so far is written to the transaction */
        @Nullable
        Object on(Connection transaction, Runnable flush) throws Exception;
    }

    private static final Set<Integer> WITHOUT_TRANSACTION =
            Set.of(TransactionDefinition.PROPAGATION_NEVER, TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
    private static final Set<Integer> OUTSIDE_OF_CALLERS = Set.of(
            TransactionDefinition.PROPAGATION_REQUIRES_NEW,
            TransactionDefinition.PROPAGATION_NEVER,
            TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
    private static final String JTA = "org.springframework.transaction.jta.JtaTransactionManager";
    private static final String ENTITY_MANAGERS = "jakarta.persistence.EntityManagerFactory";

    private record Place(Method method, Class<?> target) {}

    /** @param connected whether its transactions have a connection of the DataSource from their beginning */
    private record Joined(DataSource source, TransactionAttribute attribute, boolean connected) {}

    private final Semel semel;
    private final KeyDataSource keys;
    private final BeanFactory beans;
    private final AnnotationTransactionAttributeSource transactions = new AnnotationTransactionAttributeSource(false);
    private final Map<Place, Joined> checked = new ConcurrentHashMap<>();

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
        Joined joined = checked(method, target);
        TransactionStatus transaction = transaction(method);
        DataSource source = joined.source;
        if (joined.connected && !TransactionSynchronizationManager.hasResource(source)) throw foreign(method);
        Connection connection = DataSourceUtils.getConnection(source);
        try {
            if (!DataSourceUtils.isConnectionTransactional(connection, source)) throw foreign(method);
            if (TransactionSynchronizationManager.isSynchronizationActive()) {
                TransactionSynchronizationManager.registerSynchronization(ending);
                ending.registered = true;
            }
            Object outcome = work.on(MarkedConnection.of(connection, transaction), transaction::flush);
            ending.worked = true;
            return outcome;
        } finally {
            DataSourceUtils.releaseConnection(connection, source);
        }
    }

    /** The one that the method's own transaction manager has begun or joined, whichever others there are. */
    private static TransactionStatus transaction(Method method) {
        TransactionStatus status;
        try {
            status = TransactionAspectSupport.currentTransactionStatus();
        } catch (NoTransactionException e) {
            throw without(method);
        }
        if (!status.hasTransaction()) throw without(method);
        if (TransactionSynchronizationManager.isCurrentTransactionReadOnly())
            throw new OnceMisuseException(
                    method, "the transaction to join is read-only, so its outcome cannot be recorded. Nothing ran.");
        return status;
    }

    private static OnceMisuseException without(Method method) {
        return new OnceMisuseException(
                method, "there is no transaction to join, and so nothing ran. Its propagation must begin one.");
    }

    private static OnceMisuseException foreign(Method method) {
        return new OnceMisuseException(
                method, "the transaction is not one of the database where the keys are. Nothing ran.");
    }

    /**
     * A method that is not joined is recorded when it returns. Inside a transaction of its caller, that would be before its
     * effect is committed, and would stay when the effect is rolled back.
     *
     * @throws OnceMisuseException when a transaction of a database is open that the method would take part in
     */
    void requireOutside(Method method, Class<?> target) {
        if (!TransactionSynchronizationManager.isActualTransactionActive() || !mayBeOfDatabase()) return;
        TransactionAttribute attribute = transactions.getTransactionAttribute(method, target);
        if (attribute != null && OUTSIDE_OF_CALLERS.contains(attribute.getPropagationBehavior())) return;
        throw new OnceMisuseException(
                method,
                "it is called inside a transaction, and its outcome would be recorded before that commits. Nothing ran."
                        + " Call it outside, or choose guarantee = JOINED for an effect in the database where the keys"
                        + " are; else give it @Transactional(propagation = REQUIRES_NEW or NOT_SUPPORTED).");
    }

    /** A transaction of a message broker alone has nothing to do with the effect; of one without resources nothing is known. */
    private static boolean mayBeOfDatabase() {
        Set<Object> resources =
                TransactionSynchronizationManager.getResourceMap().keySet();
        return resources.isEmpty()
                || resources.stream()
                        .anyMatch(
                                each -> each instanceof DataSource || TypeNames.isA(each.getClass(), ENTITY_MANAGERS));
    }

    /** Whether the transaction of the method is rolled back when it throws this. */
    boolean rollsBackOn(Method method, Class<?> target, Exception thrown) {
        return checked(method, target).attribute.rollbackOn(thrown);
    }

    /** @throws OnceMisuseException when this method has no transaction that it could join */
    void check(Method method, Class<?> target) {
        checked(method, target);
    }

    private Joined checked(Method method, Class<?> target) {
        Place place = new Place(method, target);
        Joined known = checked.get(place);
        return known != null ? known : checked.computeIfAbsent(place, first -> read(method, target));
    }

    private Joined read(Method method, Class<?> target) {
        TransactionAttribute attribute = transactions.getTransactionAttribute(method, target);
        if (attribute == null)
            throw new OnceMisuseException(method, "a joined method needs @Transactional: it joins that transaction.");
        if (WITHOUT_TRANSACTION.contains(attribute.getPropagationBehavior()))
            throw new OnceMisuseException(method, "its @Transactional says to run without a transaction.");
        if (attribute.isReadOnly())
            throw new OnceMisuseException(method, "its transaction is read-only, so its outcome cannot be recorded.");
        DataSource source = keys.source();
        if (source == null || semel.store().joining() == null)
            throw new OnceMisuseException(
                    method,
                    "the keys are not in the application's database, so no transaction can be joined. Remove"
                            + " semel.store, or choose another guarantee.");
        TransactionManager owner = owner(method, attribute);
        boolean distributed = TypeNames.isA(owner.getClass(), JTA);
        if (!distributed) requireSame(method, source, owner);
        return new Joined(source, attribute, !distributed);
    }

    private static void requireSame(Method method, DataSource source, TransactionManager owner) {
        DataSource own = sourceOf(owner);
        if (own == null)
            throw new OnceMisuseException(
                    method,
                    "its transaction manager " + AopUtils.getTargetClass(owner).getName()
                            + " does not say which DataSource it commits, so an effect could be committed without its"
                            + " outcome. Name the one of the DataSource with the keys in @Transactional, or choose"
                            + " another guarantee.");
        if (KeyDataSource.plain(own) != source)
            throw new OnceMisuseException(
                    method, "its transaction manager is that of another DataSource than the one with the keys.");
    }

    /** Those of JPA and Hibernate have an EntityManagerFactory for their resource, and tell the DataSource besides. */
    private static @Nullable DataSource sourceOf(TransactionManager owner) {
        if (owner instanceof ResourceTransactionManager manager
                && manager.getResourceFactory() instanceof DataSource source) return source;
        Method told = ReflectionUtils.findMethod(AopUtils.getTargetClass(owner), "getDataSource");
        if (told == null || !DataSource.class.isAssignableFrom(told.getReturnType())) return null;
        ReflectionUtils.makeAccessible(told);
        return (DataSource) ReflectionUtils.invokeMethod(told, owner);
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
