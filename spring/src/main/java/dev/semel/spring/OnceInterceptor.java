package dev.semel.spring;

import dev.semel.core.Attempt;
import dev.semel.core.FailurePolicy;
import dev.semel.core.Operation;
import dev.semel.core.Semel;
import dev.semel.core.key.KeyId;
import dev.semel.core.store.StoreException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ObjectProvider;

/** A call of a method with {@link Once}: runs it, or gives what its first run gave. */
final class OnceInterceptor implements MethodInterceptor {
    private static final System.Logger LOG = System.getLogger(OnceInterceptor.class.getName());

    private final OnceMethods methods;
    private final ObjectProvider<Semel> semel;
    private final ObjectProvider<FailurePolicy> failures;
    private final ObjectProvider<Joining> joining;
    private final ObjectProvider<OperationGate> gate;
    private final SettledHere settled;

    OnceInterceptor(
            OnceMethods methods,
            ObjectProvider<Semel> semel,
            ObjectProvider<FailurePolicy> failures,
            ObjectProvider<Joining> joining,
            ObjectProvider<OperationGate> gate,
            SettledHere settled) {
        this.methods = methods;
        this.semel = semel;
        this.failures = failures;
        this.joining = joining;
        this.gate = gate;
        this.settled = settled;
    }

    @Override
    @SuppressWarnings("NullAway") // A method may return null.
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = Objects.requireNonNull(invocation.getThis(), "A proxy without a target has no @Once.");
        OnceMethod once = methods.of(invocation.getMethod(), AopUtils.getTargetClass(target));
        String key = once.key().keyOf(target, invocation.getArguments());
        if (key == null || key.isEmpty())
            throw new OnceMisuseException(
                    once.method(), "the key of this call is " + (key == null ? "null" : "empty") + ". Nothing ran.");
        Call call = new Call(invocation, once, AopUtils.getTargetClass(target), operation(once), key);
        Joining transactions = joining.getIfAvailable();
        if (!once.isJoined() && transactions != null) transactions.requireOutside(once.method(), call.target);
        OperationGate entrance = gate.getObject();
        if (!entrance.enter())
            throw new IllegalStateException(
                    "The application is stopping: " + once.operation() + " was not begun. Nothing ran.");
        if (once.isJoined() && transactions != null) return joined(call, transactions, entrance);
        try {
            return call.operation.once(key, call.request, attempt -> call.proceed(attempt, () -> {}));
        } finally {
            entrance.leave();
        }
    }

    @SuppressWarnings("NullAway") // A method may return null.
    private @Nullable Object joined(Call call, Joining transactions, OperationGate entrance) throws Exception {
        return transactions.join(
                call.once.method(),
                call.target,
                (connection, flush) -> {
                    settled.forget();
                    try {
                        return call.operation
                                .joining(connection)
                                .once(call.key, call.request, attempt -> call.proceed(attempt, flush));
                    } catch (Exception e) {
                        throw unlessLost(e, call, transactions);
                    }
                },
                () -> tellCommitted(call.operation, call.key),
                entrance::leave);
    }

    /** A failure that was recorded, in a transaction that it rolls back, would be promised to duplicates and not kept. */
    private Exception unlessLost(Exception failure, Call call, Joining transactions) {
        Method method = call.once.method();
        if (!settled.recorded(KeyId.of("", call.once.operation(), call.key))
                || !transactions.rollsBackOn(method, call.target, failure)) return failure;
        return new OnceMisuseException(
                method,
                "it ended with " + failure.getClass().getName()
                        + ", which is permanent by the FailurePolicy, but its transaction is rolled back on that, and"
                        + " the outcome with it. Name the exception in @Transactional(noRollbackFor = …), and throw it"
                        + " before anything is written that should not stay.",
                failure);
    }

    /** They would look by themselves soon. */
    private static void tellCommitted(Operation<@Nullable Object> operation, String key) {
        try {
            operation.committed(key);
        } catch (StoreException e) {
            LOG.log(System.Logger.Level.DEBUG, "Those who wait for a joined operation were not told", e);
        }
    }

    private Operation<@Nullable Object> operation(OnceMethod once) {
        return semel.getObject()
                .operation(once.operation(), once.codec())
                .withGuarantee(once.policy().guarantee())
                .withLease(once.policy().lease())
                .withRetention(once.policy().retention())
                .withTombstone(once.policy().tombstone())
                .withWaitFor(once.policy().waitFor())
                .withFailures(failures.getIfAvailable(() -> FailurePolicy.ALL_IN_DOUBT));
    }

    /** @param request what is asked for */
    private record Call(
            MethodInvocation invocation,
            OnceMethod once,
            Class<?> target,
            Operation<@Nullable Object> operation,
            String key,
            List<@Nullable Object> request) {

        Call(
                MethodInvocation invocation,
                OnceMethod once,
                Class<?> target,
                Operation<@Nullable Object> operation,
                String key) {
            this(invocation, once, target, operation, key, once.request(invocation.getArguments()));
        }

        /** @param flush what the method has changed may be only noted yet, and what it returned not be complete */
        @Nullable
        Object proceed(Attempt attempt, Runnable flush) throws Exception {
            ((ProxyMethodInvocation) invocation).setArguments(once.with(attempt, invocation.getArguments()));
            try {
                Object returned = invocation.proceed();
                flush.run();
                return returned;
            } catch (Exception | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException("Neither an exception nor an error was thrown.", e);
            }
        }
    }
}
