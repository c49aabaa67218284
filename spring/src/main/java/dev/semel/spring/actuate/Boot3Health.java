package dev.semel.spring.actuate;

import dev.semel.core.store.StoreException;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;

/** Whether the store answers, as Spring Boot 3 asks for it. */
final class Boot3Health implements HealthIndicator {
    private final EngineStatus status;

    Boot3Health(EngineStatus status) {
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
