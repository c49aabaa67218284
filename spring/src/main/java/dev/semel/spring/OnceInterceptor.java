package dev.semel.spring;

import dev.semel.core.FailurePolicy;
import dev.semel.core.Operation;
import dev.semel.core.Semel;
import dev.semel.core.store.StoreException;
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

    OnceInterceptor(
            OnceMethods methods,
            ObjectProvider<Semel> semel,
            ObjectProvider<FailurePolicy> failures,
            ObjectProvider<Joining> joining,
            ObjectProvider<OperationGate> gate) {
        this.methods = methods;
        this.semel = semel;
        this.failures = failures;
        this.joining = joining;
        this.gate = gate;
    }

    @Override
    @SuppressWarnings("NullAway") // A method may return null.
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = Objects.requireNonNull(invocation.getThis(), "A proxy without a target has no @Once.");
        OnceMethod once = methods.of(invocation.getMethod(), AopUtils.getTargetClass(target));
        @Nullable Object[] arguments = invocation.getArguments();
        String key = once.key().keyOf(target, arguments);
        if (key == null || key.isEmpty())
            throw new OnceMisuseException(
                    once.method(), "the key of this call is " + (key == null ? "null" : "empty") + ". Nothing ran.");
        Operation<@Nullable Object> operation = operation(once);
        List<@Nullable Object> request = once.request(arguments);
        OperationGate entrance = gate.getObject();
        if (!entrance.enter())
            throw new IllegalStateException(
                    "The application is stopping: " + once.operation() + " was not begun. Nothing ran.");
        if (once.isJoined())
            return joining.getObject()
                    .join(
                            once.method(),
                            AopUtils.getTargetClass(target),
                            connection -> operation
                                    .joining(connection)
                                    .once(key, request, attempt -> proceed(invocation, once.with(attempt, arguments))),
                            () -> tellCommitted(operation, key),
                            entrance::leave);
        try {
            return operation.once(key, request, attempt -> proceed(invocation, once.with(attempt, arguments)));
        } finally {
            entrance.leave();
        }
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

    private static @Nullable Object proceed(MethodInvocation invocation, @Nullable Object[] arguments)
            throws Exception {
        ((ProxyMethodInvocation) invocation).setArguments(arguments);
        try {
            return invocation.proceed();
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("Neither an exception nor an error was thrown.", e);
        }
    }
}
