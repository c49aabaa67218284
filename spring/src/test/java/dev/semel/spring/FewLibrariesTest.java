package dev.semel.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.util.ClassUtils;

/** An application with nothing but Spring Boot's core: no web, no database, no actuator, no meters. In a process of its own. */
@Timeout(60)
class FewLibrariesTest {
    private static final List<String> WITHOUT = List.of(
            "spring-web",
            "spring-boot-web",
            "spring-boot-servlet",
            "spring-boot-starter-web",
            "spring-boot-tomcat",
            "tomcat-embed",
            "jakarta.servlet",
            "actuator",
            "spring-boot-health",
            "micrometer-core",
            "micrometer-jakarta9",
            "spring-boot-micrometer",
            "spring-jdbc",
            "spring-tx",
            "spring-boot-jdbc",
            "spring-boot-transaction",
            "security",
            "rocksdb",
            "redis",
            "lettuce",
            "messaging",
            "kafka");

    private static final List<String> TYPES = List.of(
            "org.springframework.web.servlet.DispatcherServlet",
            "jakarta.servlet.Servlet",
            "org.springframework.jdbc.core.JdbcTemplate",
            "org.springframework.transaction.TransactionManager",
            "io.micrometer.core.instrument.MeterRegistry",
            "org.springframework.boot.actuate.endpoint.annotation.Endpoint",
            "dev.semel.store.rocksdb.RocksKeyStore",
            "dev.semel.store.redis.RedisKeyStore",
            "dev.semel.messaging.Outbox");

    static class Shop {
        final AtomicInteger runs = new AtomicInteger();

        @Once(key = "#id")
        public int charge(String id) {
            return runs.incrementAndGet();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Shop.class)
    static class Application {
        public static void main(String[] arguments) {
            try (ConfigurableApplicationContext started = new SpringApplicationBuilder(Application.class)
                    .web(WebApplicationType.NONE)
                    .logStartupInfo(false)
                    .properties("semel.store=memory:", "semel.accept-lost-keys=true", "spring.main.banner-mode=off")
                    .run()) {
                Shop shop = started.getBean(Shop.class);
                System.out.println("charged " + shop.charge("a") + " " + shop.charge("a"));
                for (String each : TYPES) if (ClassUtils.isPresent(each, null)) System.out.println("there is " + each);
            }
            try {
                StoreOfApplication.open("redis://127.0.0.1", null);
            } catch (OnceMisuseException e) {
                System.out.println(e.getMessage());
            }
            try {
                new SpringApplicationBuilder(Application.class)
                        .web(WebApplicationType.NONE)
                        .logStartupInfo(false)
                        .properties(
                                "semel.store=memory:",
                                "semel.relay.broker=kafka://127.0.0.1",
                                "spring.main.banner-mode=off")
                        .run();
            } catch (RuntimeException e) {
                System.out.println(NestedExceptionUtils.getMostSpecificCause(e).getMessage());
            }
        }
    }

    @Test
    void the_starter_needs_no_more_than_it_uses() throws Exception {
        String classPath = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> WITHOUT.stream()
                        .noneMatch(each -> nameOf(Path.of(entry)).contains(each)))
                .collect(Collectors.joining(File.pathSeparator));
        assertTrue(!classPath.contains("spring-webmvc"), classPath);
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        classPath,
                        Application.class.getName())
                .redirectErrorStream(true)
                .start();
        try {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(process.waitFor(30, TimeUnit.SECONDS), said);
            assertTrue(said.contains("charged 1 1") && !said.contains("there is"), said);
            assertTrue(said.contains("which needs the dependency semel-store-redis"), said);
            assertTrue(said.contains("semel.relay.broker is set, which needs the dependency semel-messaging"), said);
            assertEquals(0, process.exitValue(), said);
        } finally {
            process.destroyForcibly();
        }
    }

    /** Of a jar, or of a module of this build. */
    private static String nameOf(Path entry) {
        Path named = entry.endsWith("target/classes") ? entry.getParent().getParent() : entry;
        return named.getFileName().toString();
    }
}
