package dev.semel.spring.actuate;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** How the relay is doing, as Spring Boot 4 asks for it. */
final class Boot4RelayHealth implements HealthIndicator {
    private final RelayHealth relay;

    Boot4RelayHealth(RelayHealth relay) {
        this.relay = relay;
    }

    @Override
    public Health health() {
        return (relay.isUp() ? Health.up() : Health.down())
                .withDetails(relay.details())
                .build();
    }
}
