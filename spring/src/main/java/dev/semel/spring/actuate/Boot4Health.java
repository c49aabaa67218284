package dev.semel.spring.actuate;

import dev.semel.core.store.StoreException;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Whether the store answers, as Spring Boot 4 asks for it. */
final class Boot4Health implements HealthIndicator {
    private final EngineStatus status;

    Boot4Health(EngineStatus status) {
        this.status = status;
    }

    @Override
    public Health health() {
        try {
            return Health.up().withDetails(status.look()).build();
        } catch (StoreException e) {
            return Health.down(e).withDetails(status.now()).build();
        }
    }
}
