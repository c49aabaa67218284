package dev.semel.spring.actuate;

import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;

/** How the relay is doing, as Spring Boot 3 asks for it. */
final class Boot3RelayHealth implements HealthIndicator {
    private final RelayHealth relay;

    Boot3RelayHealth(RelayHealth relay) {
        this.relay = relay;
    }

    @Override
    public Health health() {
        return (relay.isUp() ? Health.up() : Health.down())
                .withDetails(relay.details())
                .build();
    }
}
