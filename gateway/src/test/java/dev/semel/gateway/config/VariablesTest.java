package dev.semel.gateway.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code ${NAME}} in a file: wherever it stands, and whatever the variable holds. */
class VariablesTest {
    private static final String UPSTREAM = "upstream: { url: http://127.0.0.1:9000 }\n";
    private static final Map<String, String> ENVIRONMENT = Map.of(
            "HOST", "10.0.0.7",
            "PORT", "9000",
            "PLACE", "rocksdb:./keys",
            "STORE_NAME", "store",
            "ODD", "a: b}, { c: 'd\" # e",
            "NESTED", "${HOST}",
            "PRIVATE", "\uE000\uE001",
            "with.dot-dash", "f");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "${PLACE}",
                "\"${PLACE}\"",
                "'${PLACE}'",
                ">-\n  ${PLACE}",
                "|-\n  ${PLACE}",
                "${PLACE} # not ${HERE}, nor ${ or }",
                "rocksdb:${NOTHING_BUT_DOTS}/keys"
            })
    void a_variable_may_stand_in_every_form_of_text(String form) {
        ConfigReader.Result read = read(
                "# ${IN_A_COMMENT} and ${\n" + UPSTREAM + "store: " + form + "\n",
                name -> name.equals("NOTHING_BUT_DOTS") ? "." : ENVIRONMENT.get(name));
        assertEquals("rocksdb:./keys", valid(read).store());
    }

    @Test
    void a_variable_may_stand_in_the_maps_and_lists_of_one_line() {
        GatewayConfig config = valid(read("""
            {${STORE_NAME}: ${PLACE},
             upstream: { url: [http://${HOST}:${PORT}, http://${HOST}:${PORT}/b], timeout: ${PORT}ms},
             admin: {listen: ${HOST}:${PORT}, token: ${with.dot-dash}}}
            """));
        assertEquals("rocksdb:./keys", config.store());
        assertEquals(
                "[http://10.0.0.7:9000, http://10.0.0.7:9000/b]",
                config.upstream().urls().toString());
        assertEquals(9000, config.upstream().timeout().toMillis());
        assertEquals(new AdminSettings(new HostPort("10.0.0.7", 9000), "f"), config.admin());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ODD", "NESTED", "PRIVATE"})
    void what_a_variable_holds_is_never_read_as_yaml_nor_replaced_again(String name) {
        String expected = "rocksdb:x" + ENVIRONMENT.get(name) + "y";
        assertEquals(
                expected,
                valid(read(UPSTREAM + "store: rocksdb:x${" + name + "}y")).store());
        assertEquals(
                expected,
                valid(read("{ store: rocksdb:x${" + name + "}y, " + UPSTREAM.strip() + " }"))
                        .store());
    }

    @Test
    void characters_for_private_use_are_kept_as_they_are() {
        String written = "\uE000${HOST}\uE001 \uE002";
        assertEquals(
                "rocksdb:\uE00010.0.0.7\uE001 \uE002",
                valid(read(UPSTREAM + "store: 'rocksdb:" + written + "'")).store());
        String escaped = "\\uE000${HOST}\\uE001 \\U0000e002 $\\uE000HOST\\uE001";
        assertEquals(
                "rocksdb:\uE00010.0.0.7\uE001 \uE002 $\uE000HOST\uE001",
                valid(read(UPSTREAM + "store: \"rocksdb:" + escaped + "\"")).store());
    }

    @Test
    void a_file_with_all_characters_for_private_use_is_read_as_it_is() {
        StringBuilder all = new StringBuilder();
        for (char c = '\uE000'; c <= '\uF8FF'; c++) all.append(c);
        String yaml = UPSTREAM + "store: 'rocksdb:" + all + "${HOST}'";
        assertEquals("rocksdb:" + all + "10.0.0.7", valid(read(yaml)).store());
    }

    @Test
    void messages_show_what_the_author_wrote_at_its_place() {
        wrong("1:9: the environment has no variable UNSET; set it or remove ${UNSET}", "store:  ${UNSET}\n" + UPSTREAM);
        wrong(
                "1:43: the environment has no variable UNSET; set it or remove ${UNSET}",
                "upstream: { url: http://${HOST}, timeout: ${UNSET} }");
        wrong(
                "2:1: unknown name '10.0.0.7' in the configuration; known are accept-lost-keys, admin, encryption,"
                        + " limits, listen, routes, service, store, store-before, tenant, tls, upstream, webhooks",
                UPSTREAM + "${HOST}: 1");
    }

    @Test
    void what_is_no_yaml_is_told_in_the_words_of_the_author() {
        List<String> told = problems("store: *${HOST}\n" + UPSTREAM);
        assertTrue(told.getFirst().contains("not valid YAML"), told.toString());
        assertTrue(told.getFirst().chars().allMatch(c -> c < 0x7f), told.toString());
        assertTrue(problems(UPSTREAM + "store: { ${HOST }").getFirst().contains("not valid YAML"));
        assertEquals(
                "semel.yaml:2:8: '${' without a closing '}'",
                problems(UPSTREAM + "store: '${HOST'").getFirst());
    }

    private static void wrong(String problem, String yaml) {
        assertEquals(List.of("semel.yaml:" + problem), problems(yaml));
    }

    private static List<String> problems(String yaml) {
        return assertInstanceOf(ConfigReader.Result.Invalid.class, read(yaml)).problems().stream()
                .map(ConfigProblem::toString)
                .toList();
    }

    private static GatewayConfig valid(ConfigReader.Result result) {
        return switch (result) {
            case ConfigReader.Result.Valid(GatewayConfig config) -> config;
            case ConfigReader.Result.Invalid(var problems) -> throw new AssertionError(problems);
        };
    }

    private static ConfigReader.Result read(String yaml) {
        return read(yaml, VariablesTest::environment);
    }

    private static ConfigReader.Result read(String yaml, Function<String, @Nullable String> environment) {
        return ConfigReader.read(yaml, "semel.yaml", environment, null);
    }

    private static @Nullable String environment(String name) {
        return ENVIRONMENT.get(name);
    }
}
