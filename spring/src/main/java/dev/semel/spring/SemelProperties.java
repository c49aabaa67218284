package dev.semel.spring;

import dev.semel.http.StatusRules;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of the application, under {@code semel}.
 *
 * @param store where the keys are kept, such as jdbc:postgresql://HOST/DATABASE, redis://HOST, rocksdb:DIR or memory:. If
 *     unset, in the database of the application's DataSource.
 * @param acceptLostKeys whether to start on a store that forgets keys when a process dies or the power fails, so that
 *     operations may run twice then.
 * @param tenant how the tenant of a request to a controller is told. Keys of tenants never meet.
 * @param retention how long an outcome is given to duplicates.
 * @param tombstone how long after the retention a late retry is still refused rather than run.
 * @param lease how long this process may be silent before it counts as dead. Renewed while an operation runs.
 * @param waitFor how long a duplicate waits for the attempt in flight.
 * @param sweepEvery how long the sweep that cleans the store pauses between two passes.
 * @param shutdownGrace how long the end of the application waits for operations that still run.
 * @param http settings for controllers.
 */
@ConfigurationProperties("semel")
public record SemelProperties(
        @Nullable String store,
        @DefaultValue("false") boolean acceptLostKeys,
        @DefaultValue("single") Tenancy tenant,
        @DefaultValue("24h") Duration retention,
        @DefaultValue("30d") Duration tombstone,
        @DefaultValue("30s") Duration lease,
        @DefaultValue("5s") Duration waitFor,
        @DefaultValue("1m") Duration sweepEvery,
        @DefaultValue("20s") Duration shutdownGrace,
        @DefaultValue Http http) {

    /** How the tenant of a request is told. A bean of type {@code ServletTenants} takes the place of either. */
    public enum Tenancy {
        /** All requests are of one tenant. */
        SINGLE,
        /** By the name of the authenticated user. */
        PRINCIPAL
    }

    /**
     * Settings for controllers with {@code @Once}.
     *
     * @param filterOrder the order of the servlet filter that guards controllers. It belongs after the filter that
     *     authenticates, and before whatever reads request bodies.
     * @param statuses what the status of a response says about the operation: default, strict, stripe-v1, 2xx-only or ietf.
     * @param requestLimit the largest body of a request with a key.
     * @param responseLimit the largest body of a response that is kept for replays. A larger one is passed on, and recorded
     *     without its body.
     */
    public record Http(
            @DefaultValue("0") int filterOrder,
            @DefaultValue("default") String statuses,
            @DefaultValue("1MB") DataSize requestLimit,
            @DefaultValue("4MB") DataSize responseLimit) {

        StatusRules statusRules() {
            try {
                return StatusRules.named(statuses);
            } catch (IllegalArgumentException e) {
                throw new OnceMisuseException("semel.http.statuses: " + e.getMessage());
            }
        }
    }
}
