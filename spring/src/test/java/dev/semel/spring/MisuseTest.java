package dev.semel.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.core.key.Guarantee;
import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.core.store.KeyStore;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Primary;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.http.HttpEntity;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** An application that could not keep its word does not start, and says why. */
class MisuseTest {
    private static Database database;

    @BeforeAll
    static void start() throws Exception {
        database = Database.fresh();
    }

    private static void refused(String said, Class<?>... beans) {
        refused(said, () -> Applications.inMemory(beans));
    }

    private static void refusedOnDatabase(String said, Class<?>... beans) {
        refused(said, () -> Applications.onDatabase(database.url(), beans));
    }

    private static void refused(String said, Supplier<ConfigurableApplicationContext> starting) {
        Throwable thrown = assertThrows(Exception.class, () -> starting.get().close());
        while (!(thrown instanceof OnceMisuseException) && thrown.getCause() != null) thrown = thrown.getCause();
        String message = thrown.toString();
        assertTrue(thrown instanceof OnceMisuseException && message.contains(said), message);
    }

    static class NoKey {
        @Once
        public void act(String id) {}
    }

    static class BadExpression {
        @Once(key = "#id +")
        public void act(String id) {}
    }

    static class UnknownName {
        @Once(key = "#order.id")
        public void act(String id) {}
    }

    static class BadDuration {
        @Once(key = "#id", retention = "a week")
        public void act(String id) {}
    }

    @Test
    void a_key_that_is_missing_or_cannot_be_read() {
        refused("say what the key is", NoKey.class);
        refused("is no SpEL expression", BadExpression.class);
        refused("speaks of #order, but known are #id, #p0, #a0", UnknownName.class);
        refused("'a week' is not a duration", BadDuration.class);
    }

    static class Future {
        @Once(key = "#id")
        public CompletableFuture<String> act(String id) {
            return CompletableFuture.completedFuture(id);
        }
    }

    static class Streaming {
        @Once(key = "#id")
        public Stream<String> act(String id) {
            return Stream.of(id);
        }
    }

    static class Perhaps {
        @Once(key = "#id")
        public Optional<String> act(String id) {
            return Optional.of(id);
        }
    }

    interface Shape {}

    static class Open {
        @Once(key = "#id")
        public Shape act(String id) {
            return new Shape() {};
        }
    }

    static class Unmakeable {
        private final String text;

        Unmakeable(String first, String second) {
            this.text = first + second;
        }

        public String getText() {
            return text;
        }
    }

    record Holding(List<Unmakeable> all) {}

    static class Deep {
        @Once(key = "#id")
        public Holding act(String id) {
            return new Holding(List.of(new Unmakeable(id, id)));
        }
    }

    @Test
    void an_outcome_that_could_not_be_made_again() {
        refused("Unmakeable cannot be made again from JSON", Deep.class);
        refused("there before the outcome is", Future.class);
        refused("can be read only once", Streaming.class);
        refused("return a nullable value", Perhaps.class);
        refused("no @JsonTypeInfo", Open.class);
    }

    static class Final {
        @Once(key = "#id")
        public final void act(String id) {}
    }

    static class Private {
        @Once(key = "#id")
        private void act(String id) {}
    }

    static final class FinalClass {
        @Once(key = "#id")
        public void act(String id) {}
    }

    @Test
    void a_method_that_no_proxy_can_guard() {
        refused("the method is final", Final.class);
        refused("the method is private", Private.class);
        Exception thrown = assertThrows(
                Exception.class, () -> Applications.inMemory(FinalClass.class).close());
        assertTrue(thrown.toString().contains("FinalClass"), thrown.toString());
    }

    static class CallsItself {
        @Once(key = "#id")
        public void act(String id) {}

        public void actTwice(String id) {
            act(id);
            act(id);
        }
    }

    static class CallsItselfLater {
        @Once(key = "#id")
        public String act(String id) {
            return id;
        }

        public Supplier<String> later(String id) {
            return () -> act(id);
        }
    }

    static class CallsItsProxy {
        private final CallsItsProxy self;

        CallsItsProxy(@Lazy CallsItsProxy self) {
            this.self = self;
        }

        @Once(key = "#id")
        public String act(String id) {
            return id;
        }

        public String through(String id) {
            return self.act(id);
        }
    }

    @Test
    void a_call_that_passes_no_proxy() {
        refused("it is called by actTwice() of the same object", CallsItself.class);
        refused("it is called by later() of the same object", CallsItselfLater.class);
        try (ConfigurableApplicationContext started = Applications.inMemory(CallsItsProxy.class)) {
            assertEquals("a", started.getBean(CallsItsProxy.class).through("a"));
        }
    }

    static class Invoices {
        static class Handler {
            @Once(key = "#id")
            public String handle(String id) {
                return "invoice for " + id;
            }
        }
    }

    static class Shipping {
        static class Handler {
            @Once(key = "#id")
            public String handle(String id) {
                return "parcel for " + id;
            }
        }
    }

    abstract static class AnyBank {
        @Once(key = "#id")
        public String pay(String id) {
            return getClass() + " " + id;
        }
    }

    static class EuropeanBank extends AnyBank {}

    static class AmericanBank extends AnyBank {}

    static class Overloads {
        @Once(key = "#id")
        public String act(String id) {
            return id;
        }

        @Once(key = "#id")
        public String act(Object id) {
            return "other " + id;
        }
    }

    static class SameWord {
        @Once(key = "#id", operation = "pay")
        public String pay(String id) {
            return id;
        }

        @Once(key = "#id", operation = "pay")
        public String refund(String id) {
            return id;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoHandlers {
        @Bean
        Invoices.Handler invoices() {
            return new Invoices.Handler();
        }

        @Bean
        Shipping.Handler shipping() {
            return new Shipping.Handler();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoOfOneClass {
        @Bean
        Invoices.Handler first() {
            return new Invoices.Handler();
        }

        @Bean
        @Lazy
        Invoices.Handler second() {
            return new Invoices.Handler();
        }
    }

    @Test
    void two_methods_that_would_share_their_keys() {
        refused("share the operation Handler.handle", TwoHandlers.class);
        refused("share the operation Handler.handle", TwoOfOneClass.class);
        refused("share the operation AnyBank.pay", EuropeanBank.class, AmericanBank.class);
        refused("share the operation Overloads.act", Overloads.class);
        refused("share the operation pay", SameWord.class);
    }

    @Lazy
    static class LazyAct {
        @Once(key = "#id")
        public String act(String id) {
            return id;
        }
    }

    @Lazy
    static class LazyCallsItself extends CallsItself {}

    @Scope("prototype")
    static class PrototypeCallsItself extends CallsItself {}

    @Lazy
    static class LazyJoined extends NoTransaction {}

    interface Acts {
        String act(String id);
    }

    /** Its type is not known before it is made. */
    @Configuration(proxyBeanMethods = false)
    static class Hidden {
        static class Act implements Acts {
            @Override
            @Once(key = "#id")
            public String act(String id) {
                return id;
            }

            public String actTwice(String id) {
                return act(id) + act(id);
            }
        }

        @Bean
        @Lazy
        Acts hidden() {
            return new Act();
        }
    }

    @Test
    void a_bean_that_is_made_late_is_looked_at_too() {
        refused("it is called by actTwice() of the same object", LazyCallsItself.class);
        refused("it is called by actTwice() of the same object", PrototypeCallsItself.class);
        refusedOnDatabase("needs @Transactional", LazyJoined.class);
        refused("it may lose keys when a process dies", () -> notAccepting(LazyAct.class));
        refused("it is called by actTwice() of the same object", () -> {
            ConfigurableApplicationContext started = Applications.inMemory(Hidden.class);
            try (started) {
                started.getBean("hidden");
            }
            return started;
        });
    }

    private static ConfigurableApplicationContext notAccepting(Class<?>... beans) {
        return Applications.start(
                WebApplicationType.NONE,
                List.of(
                        "semel.store=memory:",
                        "spring.datasource.url=jdbc:postgresql://127.0.0.1:1/no",
                        "semel.accept-lost-keys=false"),
                beans);
    }

    @Configuration(proxyBeanMethods = false)
    static class Usual {
        @Bean
        @Scope("prototype")
        Invoices.Handler many() {
            return new Invoices.Handler();
        }

        @Bean
        @Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
        LazyAct scoped() {
            return new LazyAct();
        }

        @Bean
        @Lazy
        Acts hidden() {
            return id -> id;
        }
    }

    @Test
    void beans_that_are_made_many_times_share_the_keys_of_their_method() {
        try (ConfigurableApplicationContext started = Applications.inMemory(Usual.class)) {
            assertEquals(
                    "invoice for a", started.getBean(Invoices.Handler.class).handle("a"));
            assertEquals(
                    "invoice for a", started.getBean(Invoices.Handler.class).handle("a"));
            assertEquals("b", started.getBean("scoped", LazyAct.class).act("b"));
            assertEquals("b", started.getBean("scoped", LazyAct.class).act("b"));
        }
    }

    static class NoTransaction {
        @Once(key = "#id", guarantee = Guarantee.JOINED)
        public void act(String id) {}
    }

    static class NeverInTransaction {
        @Once(key = "#id", guarantee = Guarantee.JOINED)
        @Transactional(propagation = Propagation.NEVER)
        public void act(String id) {}
    }

    static class OnlyReading {
        @Once(key = "#id", guarantee = Guarantee.JOINED)
        @Transactional(readOnly = true)
        public void act(String id) {}
    }

    @Transactional
    static class Good {
        @Once(key = "#id", guarantee = Guarantee.JOINED)
        public void act(String id) {}
    }

    private static final class Pool {
        static HikariDataSource source(String url) {
            HikariDataSource made = new HikariDataSource();
            made.setJdbcUrl(url);
            made.setMaximumPoolSize(3);
            return made;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoSources {
        @Bean
        DataSource first(@Value("${spring.datasource.url}") String url) {
            return Pool.source(url);
        }

        @Bean
        DataSource second(@Value("${spring.datasource.url}") String url) {
            return Pool.source(url);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoTransactionManagers {
        @Bean
        @Primary
        DataSource first(@Value("${spring.datasource.url}") String url) {
            return Pool.source(url);
        }

        @Bean
        DataSource second(@Value("${spring.datasource.url}") String url) {
            return Pool.source(url);
        }

        @Bean
        PlatformTransactionManager firstTransactions(DataSource first) {
            return new DataSourceTransactionManager(first);
        }

        @Bean
        PlatformTransactionManager secondTransactions(@Qualifier("second") DataSource second) {
            return new DataSourceTransactionManager(second);
        }
    }

    static class NamesTheOther {
        @Once(key = "#id", guarantee = Guarantee.JOINED)
        @Transactional("secondTransactions")
        public void act(String id) {}
    }

    static class NamesTheRightOne {
        @Once(key = "#id", guarantee = Guarantee.JOINED)
        @Transactional("firstTransactions")
        public void act(String id) {}
    }

    /** Commits elsewhere, such as in a message broker. */
    static class Foreign extends AbstractPlatformTransactionManager {
        private static final long serialVersionUID = 1;

        @Override
        protected Object doGetTransaction() {
            return new Object();
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}
    }

    /** As that of JPA: its resource is no DataSource, and it has one besides. */
    static class OfEntities extends Foreign implements ResourceTransactionManager {
        private static final long serialVersionUID = 1;

        private final transient DataSource source;

        OfEntities(DataSource source) {
            this.source = source;
        }

        public DataSource getDataSource() {
            return source;
        }

        @Override
        public Object getResourceFactory() {
            return this;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ForeignTransactions {
        @Bean
        PlatformTransactionManager transactions() {
            return new Foreign();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class EntitiesElsewhere {
        @Bean
        PlatformTransactionManager transactions(@Value("${spring.datasource.url}") String url) {
            return new OfEntities(new DriverManagerDataSource(url));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class EntitiesHere {
        @Bean
        PlatformTransactionManager transactions(DataSource source) {
            return new OfEntities(source);
        }
    }

    @Test
    void a_joined_method_whose_transactions_commit_elsewhere() {
        refusedWithoutAutoCommit("does not say which DataSource it commits", Good.class, ForeignTransactions.class);
        refusedWithoutAutoCommit("another DataSource", Good.class, EntitiesElsewhere.class);
        try (ConfigurableApplicationContext started = withoutAutoCommit(Good.class, EntitiesHere.class)) {
            Good good = started.getBean(Good.class);
            String said =
                    assertThrows(OnceMisuseException.class, () -> good.act("a")).getMessage();
            assertTrue(said.contains("not one of the database") && said.contains("Nothing ran"), said);
        }
    }

    private static void refusedWithoutAutoCommit(String said, Class<?>... beans) {
        refused(said, () -> withoutAutoCommit(beans));
    }

    /** As it is often set with Hibernate: a connection that was never committed is rolled back when it is given back. */
    private static ConfigurableApplicationContext withoutAutoCommit(Class<?>... beans) {
        return Applications.start(
                WebApplicationType.NONE,
                List.of("spring.datasource.url=" + database.url(), "spring.datasource.hikari.auto-commit=false"),
                beans);
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnStore {
        @Bean
        KeyStore store() {
            return new InMemoryKeyStore();
        }
    }

    @Test
    void a_joined_method_without_a_transaction_to_join() {
        refusedOnDatabase("needs @Transactional", NoTransaction.class);
        refusedOnDatabase("says to run without a transaction", NeverInTransaction.class);
        refusedOnDatabase("is read-only", OnlyReading.class);
        refused("not in the application's database", Good.class);
        Applications.onDatabase(database.url(), Good.class).close();
    }

    @Test
    void two_of_what_should_be_one() {
        refusedOnDatabase("There are 2 DataSources", TwoSources.class);
        Applications.onDatabase(database.url(), TwoSources.class, OwnStore.class)
                .close();
        refusedOnDatabase(
                "several transaction managers (firstTransactions, secondTransactions)",
                Good.class,
                TwoTransactionManagers.class);
        refusedOnDatabase("another DataSource", NamesTheOther.class, TwoTransactionManagers.class);
        try (var started =
                Applications.onDatabase(database.url(), NamesTheRightOne.class, TwoTransactionManagers.class)) {
            started.getBean(NamesTheRightOne.class).act("a");
        }
    }

    @Test
    void a_store_that_forgets_keys_unless_that_is_accepted() {
        Class<?>[] beans = {CallsItsProxy.class};
        List<String> memory = List.of("semel.store=memory:", "spring.datasource.url=jdbc:postgresql://127.0.0.1:1/no");
        List<String> notAccepted = Stream.concat(memory.stream(), Stream.of("semel.accept-lost-keys=false"))
                .toList();
        refused(
                "it may lose keys when a process dies",
                () -> Applications.start(WebApplicationType.NONE, notAccepted, beans));
        List<String> unsynced = List.of("spring.datasource.url=" + database.url(), "semel.accept-lost-keys=false");
        refused(
                "it may lose keys when the power fails",
                () -> Applications.start(WebApplicationType.NONE, unsynced, beans));
        // What is joined is lost together with its effect.
        Applications.start(WebApplicationType.NONE, unsynced, Good.class).close();
        refused(
                "no URL of a store",
                () -> Applications.start(WebApplicationType.NONE, List.of("semel.store=mongodb://x"), beans));
        refused(
                "no URL of a store",
                () -> Applications.start(WebApplicationType.NONE, List.of("semel.store=jdbc:oracle:thin:@x"), beans));
        refused(
                "no URL of a store",
                () -> Applications.start(WebApplicationType.NONE, List.of("semel.store=redis:x"), beans));
    }

    @RestController
    static class WithKeyExpression {
        @PostMapping("/a")
        @Once(key = "#id")
        String act(@RequestBody String id) {
            return id;
        }
    }

    @RestController
    static class JoinedController {
        @PostMapping("/a")
        @Once(guarantee = Guarantee.JOINED)
        @Transactional
        public String act() {
            return "a";
        }
    }

    @RestController
    static class Asynchronous {
        @PostMapping("/a")
        @Once
        CompletableFuture<String> act() {
            return CompletableFuture.completedFuture("a");
        }
    }

    @RestController
    static class StreamingEntity {
        @PostMapping("/a")
        @Once
        ResponseEntity<StreamingResponseBody> act() {
            return ResponseEntity.ok(out -> {});
        }
    }

    @RestController
    static class Upload {
        @PostMapping("/a")
        @Once
        String act(@RequestParam("file") MultipartFile file) {
            return "a";
        }
    }

    @RestController
    static class Uploads {
        @PostMapping("/a")
        @Once
        String act(@RequestParam("file") List<MultipartFile> files) {
            return "a";
        }
    }

    @RestController
    static class StreamingHttpEntity {
        @PostMapping("/a")
        @Once
        HttpEntity<StreamingResponseBody> act() {
            return new HttpEntity<>(out -> {});
        }
    }

    @RestController
    static class OnlySafe {
        @GetMapping("/a")
        @Once
        String act() {
            return "a";
        }
    }

    static class NoController {
        @PostMapping("/a")
        @Once
        public String act() {
            return "a";
        }
    }

    @RestController
    static class BadLease {
        @PostMapping("/a")
        @Once(lease = "soon")
        String act() {
            return "a";
        }
    }

    @Test
    void a_controller_that_could_not_be_guarded() {
        refusedOnWeb("comes from its header Idempotency-Key", WithKeyExpression.class);
        refusedOnWeb("on a method of a bean that the controller calls", JoinedController.class);
        refusedOnWeb("returns CompletableFuture, which answers after", Asynchronous.class);
        refusedOnWeb("returns StreamingResponseBody, which answers after", StreamingEntity.class);
        refusedOnWeb("returns StreamingResponseBody, which answers after", StreamingHttpEntity.class);
        refusedOnWeb("takes parts of a form", Upload.class);
        refusedOnWeb("takes parts of a form", Uploads.class);
        refusedOnWeb("only safe methods", OnlySafe.class);
        refusedOnWeb("no controller that serves them", NoController.class);
        refusedOnWeb("'soon' is not a duration", BadLease.class);
        refused("this is no servlet application", BadLease.class);
    }

    private static void refusedOnWeb(String said, Class<?>... beans) {
        refused(said, () -> Applications.webInMemory(beans));
    }
}
