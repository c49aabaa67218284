package dev.semel.spring;

import dev.semel.core.FailurePolicy;
import dev.semel.core.Semel;
import dev.semel.core.claim.SemelListener;
import dev.semel.core.store.KeyStore;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;

/** The engine, its store, and {@link Once} on methods of beans. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"
        })
@EnableConfigurationProperties(SemelProperties.class)
@Import(ProxyRegistrar.class)
public class SemelAutoConfiguration {
    /** For outcomes that the store has not taken yet, when nothing runs any more. */
    private static final Duration LAST_WRITES = Duration.ofSeconds(5);

    /** Closed by itself when the application ends: after what uses it, before the DataSource. */
    @Bean
    @ConditionalOnMissingBean
    KeyStore semelKeyStore(SemelProperties settings, KeyDataSource source) {
        if (source.lacking() != null) throw new OnceMisuseException(source.lacking());
        return StoreOfApplication.open(settings.store(), source.source());
    }

    @Bean
    KeyDataSource semelKeyDataSource(SemelProperties settings, ObjectProvider<DataSource> sources) {
        if (settings.store() != null && !settings.store().isBlank()) return KeyDataSource.of(null);
        List<DataSource> all = sources.stream().toList();
        DataSource one = sources.getIfUnique();
        if (one == null && !all.isEmpty())
            return new KeyDataSource(
                    null,
                    "There are " + all.size()
                            + " DataSources, and Semel cannot tell in which one to keep its keys: mark one @Primary, or"
                            + " set semel.store.");
        return KeyDataSource.of(one);
    }

    @Bean(destroyMethod = "")
    @ConditionalOnMissingBean
    Semel semel(
            KeyStore store,
            SemelProperties settings,
            ObjectProvider<SemelListener> listeners,
            ObjectProvider<KeyStoreWrapper> wrappers) {
        List<SemelListener> all = listeners.orderedStream().toList();
        KeyStore wrapped = store;
        for (KeyStoreWrapper each : wrappers.orderedStream().toList()) wrapped = each.apply(wrapped);
        return Semel.on(wrapped)
                .listener(event -> all.forEach(each -> each.on(event)))
                .sweepEvery(settings.sweepEvery())
                .start();
    }

    /** Comes after {@link #semelOperationGate}, and also when the application could not start. */
    @Bean
    @Lazy(false)
    DisposableBean semelShutdown(Semel semel) {
        return () -> semel.close(LAST_WRITES);
    }

    @Bean
    OperationGate semelOperationGate(Semel semel, SemelProperties settings) {
        return new OperationGate(semel, settings.shutdownGrace());
    }

    @Bean
    DurabilityCheck semelDurabilityCheck(
            Semel semel, SemelProperties settings, ObjectProvider<OnceDeclarations> declarations) {
        return new DurabilityCheck(semel, settings, declarations.orderedStream().toList());
    }

    @Bean
    @ConditionalOnMissingBean
    OutcomeCodecs semelOutcomeCodecs() {
        return new JsonOutcomes();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static OnceMethods semelOnceMethods(
            ObjectProvider<SemelProperties> settings, ObjectProvider<OutcomeCodecs> codecs) {
        return new OnceMethods(settings, codecs);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static SettledHere semelSettledHere() {
        return new SettledHere();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static OnceInterceptor semelOnceInterceptor(
            OnceMethods methods,
            ObjectProvider<Semel> semel,
            ObjectProvider<FailurePolicy> failures,
            ObjectProvider<Joining> joining,
            ObjectProvider<OperationGate> gate,
            SettledHere settled) {
        return new OnceInterceptor(methods, semel, failures, joining, gate, settled);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static OnceAdvisor semelJoinedAdvisor(OnceInterceptor interceptor) {
        return new OnceAdvisor(true, interceptor);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static OnceAdvisor semelLeasedAdvisor(OnceInterceptor interceptor) {
        return new OnceAdvisor(false, interceptor);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static OnceBeanCheck semelOnceBeanCheck(
            OnceMethods methods,
            ObjectProvider<Joining> joining,
            ObjectProvider<OnceHandlers> handlers,
            ObjectProvider<DurabilityCheck> durability,
            ConfigurableListableBeanFactory beans) {
        return new OnceBeanCheck(methods, joining, handlers, durability, beans);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(
            name = {
                "org.springframework.jdbc.datasource.DataSourceUtils",
                "org.springframework.transaction.support.TransactionSynchronizationManager"
            })
    static class JoiningConfiguration {
        @Bean
        Joining semelJoining(Semel semel, KeyDataSource keys, BeanFactory beans) {
            return new Joining(semel, keys, beans);
        }
    }
}
