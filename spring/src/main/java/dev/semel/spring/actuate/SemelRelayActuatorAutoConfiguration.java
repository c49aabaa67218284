package dev.semel.spring.actuate;

import dev.semel.spring.messaging.RelayOfApplication;
import dev.semel.spring.messaging.SemelRelayAutoConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Health and meters of the relay in an application, as far as the application has what shows them. */
@AutoConfiguration(
        after = SemelRelayAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnBean(type = "dev.semel.spring.messaging.RelayOfApplication")
public class SemelRelayActuatorAutoConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.actuate.health.HealthIndicator")
    @ConditionalOnProperty(name = "management.health.semelrelay.enabled", matchIfMissing = true)
    static class Health3 {
        @Bean
        Boot3RelayHealth semelRelayHealthIndicator(RelayOfApplication relay) {
            return new Boot3RelayHealth(new RelayHealth(relay));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.health.contributor.HealthIndicator")
    @ConditionalOnProperty(name = "management.health.semelrelay.enabled", matchIfMissing = true)
    static class Health4 {
        @Bean
        Boot4RelayHealth semelRelayHealthIndicator(RelayOfApplication relay) {
            return new Boot4RelayHealth(new RelayHealth(relay));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "io.micrometer.core.instrument.MeterRegistry")
    @ConditionalOnBean(type = "io.micrometer.core.instrument.MeterRegistry")
    static class Meters {
        @Bean
        RelayMeters semelRelayMeters(MeterRegistry registry) {
            return new RelayMeters(registry);
        }

        @Bean
        MeterBinder semelOutboxGauges(RelayOfApplication relay) {
            return RelayMeters.outbox(relay);
        }
    }
}
