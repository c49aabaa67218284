package dev.semel.http;

import dev.semel.core.key.KeyId;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.StoreException;
import dev.semel.http.order.WriteOrder;
import java.time.Duration;

/**
 * Lets writes to a resource pass in the order of their versions. The version is recorded before the write is sent: from
 * then on a lower one is refused, unless the upstream refuses this one. Nobody can call back what was sent before.
 */
final class WriteOrderGuard {
    private final WriteOrder order;

    WriteOrderGuard(KeyStore store) {
        this.order = new WriteOrder(store);
    }

    record Write(KeyId resource, long version, Duration keep) {}

    /** What a request says about its place in the order. */
    sealed interface Reading {
        record Ordered(Write write) implements Reading {}

        record Refused(HttpResponse answer) implements Reading {}
    }

    static Reading read(HttpRequest request, Scope scope, OrderRule rule) {
        return switch (rule.version().of(request)) {
            case VersionReading.At it -> at(it.version(), request.path(), scope, rule);
            case VersionReading.Absent it ->
                new Reading.Refused(Problem.versionMissing(rule.version().toString()));
            case VersionReading.Malformed it -> new Reading.Refused(Problem.versionMalformed(it.why()));
        };
    }

    private static Reading at(long version, String path, Scope scope, OrderRule rule) {
        try {
            String owner = rule.perTenant() ? scope.tenant() : "";
            KeyId resource = KeyId.reserved(owner, "order", PathText.resource(path));
            return new Reading.Ordered(new Write(resource, version, rule.keep()));
        } catch (IllegalArgumentException e) {
            return new Reading.Refused(Problem.badRequest("its path is too long for a resource with an order"));
        }
    }

    /** What became of a wish to write. */
    sealed interface Entry {
        record Refused(HttpResponse answer) implements Entry {}

        /** @param recorded the name of the write in the record of the resource */
        record Passed(long recorded) implements Entry {}
    }

    Entry enter(Write write) {
        try {
            // C9: recorded before it is sent; should this process die before that, lower versions stay refused.
            return switch (order.advance(write.resource(), write.version(), write.keep())) {
                case WriteOrder.Answer.Accepted it -> new Entry.Passed(it.write());
                case WriteOrder.Answer.Stale it -> new Entry.Refused(Problem.staleWrite(write.version(), it.last()));
            };
        } catch (StoreException e) {
            return new Entry.Refused(Problem.storeUnavailable());
        }
    }

    /**
     * The place of a write in the order.
     *
     * @param recorded the name of the write in the record of the resource
     */
    record Place(Write write, long recorded) {}

    /** A write that the upstream says did not run gives its place in the order back. */
    void judge(Place place, StatusRules statuses, Exchange<?> exchange) {
        boolean didNotRun = switch (exchange) {
            case Exchange.NotSent<?> it -> true;
            case Exchange.Answered<?> it -> isRefusal(it.response().status(), statuses.verdict(it.response()));
            case Exchange.TooLargeToKeep<?> it -> isRefusal(it.status(), statuses.verdict(it.status(), it.headers()));
            case Exchange.Broken<?> it -> false;
            case Exchange.TimedOut<?> it -> false;
        };
        if (didNotRun) withdraw(place);
    }

    /** A conflict or a failed precondition is kept for its key, but changed nothing. */
    private static boolean isRefusal(int status, StatusClass verdict) {
        return switch (verdict) {
            case RELEASE -> true;
            case STORE -> status >= 400 && status < 500;
            case DOUBT -> false;
        };
    }

    private void withdraw(Place place) {
        Write write = place.write();
        try {
            order.withdraw(write.resource(), write.version(), place.recorded(), write.keep());
        } catch (StoreException e) {
            // It stays recorded: lower versions are refused, which is safe.
        }
    }
}
