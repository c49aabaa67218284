package dev.semel.walls;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.semel.http.Headers;

/** Who may know whom. A wall that stands in the way is moved here, in one place, with a reason. */
@AnalyzeClasses(packages = "dev.semel", importOptions = ImportOption.DoNotIncludeTests.class)
class WallsTest {
    private static final String JDK = "java..";
    private static final String NULLNESS = "org.jspecify..";
    private static final String TENANTS = "dev.semel.http.tenant..";

    @ArchTest
    static final ArchRule core_knows_only_the_jdk = classes()
            .that()
            .resideInAPackage("dev.semel.core..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("dev.semel.core..", JDK, "javax.sql..", NULLNESS);

    @ArchTest
    static final ArchRule the_words_know_only_themselves = classes()
            .that()
            .resideInAPackage("dev.semel.core.key..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("dev.semel.core.key..", JDK, NULLNESS);

    /** Public to each other only: what a user or a store may rely on is in the other rooms of core. */
    @ArchTest
    static final ArchRule nobody_outside_knows_the_inside_of_the_engine = noClasses()
            .that()
            .resideOutsideOfPackage("dev.semel.core..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.semel.core.engine..",
                    "dev.semel.core.rules..",
                    "dev.semel.core.waiting..",
                    "dev.semel.core.doubt..",
                    "dev.semel.core.quota..");

    /** Down the stairs: words, store, claims, rules; then waiting, quotas and doubts; then the engine, then its door. */
    @ArchTest
    static final ArchRule the_rules_know_no_engine = classes()
            .that()
            .resideInAPackage("dev.semel.core.rules..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "dev.semel.core.rules..",
                    "dev.semel.core.claim..",
                    "dev.semel.core.store..",
                    "dev.semel.core.key..",
                    JDK,
                    NULLNESS);

    @ArchTest
    static final ArchRule encryption_knows_the_words_and_the_spi = classes()
            .that()
            .resideInAPackage("dev.semel.seal..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "dev.semel.seal..",
                    "dev.semel.core.key..",
                    "dev.semel.core.store..",
                    JDK,
                    "javax.crypto..",
                    NULLNESS);

    @ArchTest
    static final ArchRule a_store_knows_the_spi_and_its_driver = classes()
            .that()
            .resideInAPackage("dev.semel.store..")
            .should()
            .onlyDependOnClassesThat(
                    resideInAnyPackage("dev.semel.core.key..", "dev.semel.core.store..", "dev.semel.store..")
                            .or(not(resideInAPackage("dev.semel.."))));

    @ArchTest
    static final ArchRule stores_do_not_know_each_other =
            slices().matching("dev.semel.store.(*)..").should().notDependOnEachOther();

    @ArchTest
    static final ArchRule http_knows_core_and_a_json_parser = classes()
            .that()
            .resideInAPackage("dev.semel.http..")
            .and()
            .resideOutsideOfPackage(TENANTS)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("dev.semel.http..", "dev.semel.core..", "com.fasterxml.jackson.core..", JDK, NULLNESS);

    /** The library that verifies tokens reads what strangers send; it stays in this one room. */
    @ArchTest
    static final ArchRule telling_tenants_knows_headers_and_a_jose_library = classes()
            .that()
            .resideInAPackage(TENANTS)
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(TENANTS, "com.nimbusds..", "javax.crypto..", JDK, NULLNESS)
                    .or(belongToAnyOf(Headers.class)));

    @ArchTest
    static final ArchRule nobody_else_knows_the_jose_library = noClasses()
            .that()
            .resideOutsideOfPackage(TENANTS)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("com.nimbusds..");

    @ArchTest
    static final ArchRule one_room_of_each_server_knows_the_metrics_library = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "dev.semel.gateway.metrics..", "dev.semel.spring.actuate..", "dev.semel.relay.metrics..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.micrometer..", "io.prometheus..");

    @ArchTest
    static final ArchRule admin_knows_core_http_and_a_json_parser = classes()
            .that()
            .resideInAPackage("dev.semel.admin..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "dev.semel.admin..",
                    "dev.semel.http..",
                    "dev.semel.core..",
                    "com.fasterxml.jackson.core..",
                    JDK,
                    NULLNESS);

    /** What a key means stands in http; the filter translates. */
    @ArchTest
    static final ArchRule the_filter_knows_core_http_and_the_servlet_api = classes()
            .that()
            .resideInAPackage("dev.semel.servlet..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "dev.semel.servlet..",
                    "dev.semel.http..",
                    "dev.semel.core",
                    "dev.semel.core.key..",
                    "dev.semel.core.claim..",
                    "jakarta.servlet..",
                    JDK,
                    NULLNESS);

    /** A composition root, like the gateway: names stores, and is known to nobody. */
    @ArchTest
    static final ArchRule the_starter_knows_the_library_and_spring = classes()
            .that()
            .resideInAPackage("dev.semel.spring..")
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(
                            "dev.semel.spring..",
                            "dev.semel.core..",
                            "dev.semel.json..",
                            "dev.semel.http..",
                            "dev.semel.servlet..",
                            "dev.semel.store..")
                    .or(not(resideInAPackage("dev.semel.."))));

    @ArchTest
    static final ArchRule nobody_knows_the_starter_or_spring = noClasses()
            .that()
            .resideInAPackage("dev.semel..")
            .and()
            .resideOutsideOfPackages("dev.semel.spring..", "dev.semel.examples..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.semel.spring..", "org.springframework..");

    @ArchTest
    static final ArchRule the_client_knows_only_the_jdk_and_a_json_parser = classes()
            .that()
            .resideInAPackage("dev.semel.client..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "dev.semel.client..",
                    "com.fasterxml.jackson.core..",
                    JDK,
                    "javax.sql..",
                    "javax.net.ssl..",
                    NULLNESS);

    /** A mistake in what is checked must not be a mistake of the checker too. */
    @ArchTest
    static final ArchRule the_checker_of_histories_knows_nothing_of_what_it_checks = classes()
            .that()
            .resideInAnyPackage("dev.semel.torture.history..", "dev.semel.torture.check..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("dev.semel.torture.history..", "dev.semel.torture.check..", JDK, NULLNESS);

    @ArchTest
    static final ArchRule messaging_knows_words_of_core_and_jdbc = classes()
            .that()
            .resideInAPackage("dev.semel.messaging..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "dev.semel.messaging..",
                    "dev.semel.core.key..",
                    "dev.semel.core.time..",
                    JDK,
                    "javax.sql..",
                    NULLNESS);

    @ArchTest
    static final ArchRule signing_webhooks_knows_only_the_jdk = classes()
            .that()
            .resideInAPackage("dev.semel.webhook..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("dev.semel.webhook..", JDK, "javax.crypto..", NULLNESS);

    /** What only a relay needs is its own; an application and a broker know the words and the door. */
    @ArchTest
    static final ArchRule a_broker_knows_the_spi_and_its_driver = classes()
            .that()
            .resideInAPackage("dev.semel.broker..")
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(
                            "dev.semel.broker..",
                            "dev.semel.messaging.broker..",
                            "dev.semel.messaging.consume..",
                            "dev.semel.messaging.message..")
                    .or(not(resideInAPackage("dev.semel.."))))
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule brokers_do_not_know_each_other = slices().matching("dev.semel.broker.(*)..")
            .should()
            .notDependOnEachOther()
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule nobody_knows_the_gateway_but_those_who_run_it = noClasses()
            .that()
            .resideOutsideOfPackage("dev.semel.gateway..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.semel.gateway..");

    @ArchTest
    static final ArchRule packages_have_no_cycles =
            slices().matching("dev.semel.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule no_rooms_without_a_name =
            noClasses().should().resideInAnyPackage("..common..", "..util..", "..utils..", "..helper..", "..misc..");
}
