package dev.semel.spring.actuate;

import dev.semel.core.Semel;
import dev.semel.core.store.KeyStore;
import dev.semel.spring.KeyStoreWrapper;
import dev.semel.spring.OnceDeclarations;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Health, the endpoint {@code semel} and meters, as far as the application has what shows them. */
@AutoConfiguration(
        beforeName = "dev.semel.spring.SemelAutoConfiguration",
        afterName = {
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
        })
public class SemelActuatorAutoConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.actuate.health.HealthIndicator")
    @ConditionalOnProperty(name = "management.health.semel.enabled", matchIfMissing = true)
    static class Health3 {
        @Bean
        Boot3Health semelHealthIndicator(Semel semel, KeyStore store) {
            return new Boot3Health(new EngineStatus(semel, store));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.health.contributor.HealthIndicator")
    @ConditionalOnProperty(name = "management.health.semel.enabled", matchIfMissing = true)
    static class Health4 {
        @Bean
        Boot4Health semelHealthIndicator(Semel semel, KeyStore store) {
            return new Boot4Health(new EngineStatus(semel, store));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(
            name = "org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint")
    static class EndpointConfiguration {
        @Bean
        @ConditionalOnAvailableEndpoint
        SemelEndpoint semelEndpoint(
                Semel semel, KeyStore store, ClaimCounts counts, ObjectProvider<OnceDeclarations> declarations) {
            return new SemelEndpoint(
                    semel,
                    new EngineStatus(semel, store),
                    counts,
                    declarations.orderedStream().toList());
        }

        @Bean
        @ConditionalOnAvailableEndpoint(endpoint = SemelEndpoint.class)
        ClaimCounts semelClaimCounts() {
            return new ClaimCounts();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "io.micrometer.core.instrument.MeterRegistry")
    @ConditionalOnBean(type = "io.micrometer.core.instrument.MeterRegistry")
    static class Meters {
        @Bean
        SemelMeters semelMeters(MeterRegistry registry, ObjectProvider<OnceDeclarations> declarations) {
            return new SemelMeters(registry, new RequestOperations(declarations));
        }

        @Bean
        @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
        RequestMeters semelRequestMeters(MeterRegistry registry) {
            return new RequestMeters(registry);
        }

        @Bean
        KeyStoreWrapper semelTimedKeyStore(MeterRegistry registry) {
            return store -> new TimedKeyStore(store, registry);
        }

        @Bean
        MeterBinder semelGauges(Semel semel) {
            return registry -> SemelMeters.gauges(semel, registry);
        }
    }
}
