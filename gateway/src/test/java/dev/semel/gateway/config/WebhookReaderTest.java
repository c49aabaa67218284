package dev.semel.gateway.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.gateway.config.WebhookSettings.Scheme;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebhookReaderTest {
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    private static ConfigReader.Result read(String... webhooks) {
        StringBuilder yaml = new StringBuilder("upstream: { url: \"http://10.0.0.7:9000\" }\nwebhooks:\n");
        for (String webhook : webhooks) yaml.append("  - ").append(webhook).append('\n');
        return ConfigReader.read(yaml.toString(), "semel.yaml", name -> name.equals("SECRET") ? SECRET : null, null);
    }

    private static GatewayConfig valid(String... webhooks) {
        ConfigReader.Result result = read(webhooks);
        return assertInstanceOf(ConfigReader.Result.Valid.class, result, result::toString)
                .config();
    }

    @Test
    void webhooks_are_read() {
        GatewayConfig config = valid(
                "{ path: /hooks/a, scheme: standard, secrets: [ \"${SECRET}\" ], deliver: { path: /in/a } }",
                "{ path: /hooks/b, scheme: stripe, secrets: [ s1, s2 ], tolerance: 1m, remember: 40d,"
                        + " deliver: { path: /in/b, key: /data/object/customer } }",
                "{ path: /hooks/c, scheme: github, secrets: [ s ], deliver: { path: /hooks/c } }");
        List<WebhookSettings> all = config.webhooks().all();
        assertEquals(Scheme.STANDARD, all.get(0).scheme());
        assertEquals(List.of(SECRET), all.get(0).secrets());
        assertEquals(Duration.ofMinutes(5), all.get(0).tolerance());
        assertNull(all.get(0).key());
        assertEquals(Duration.ofMinutes(1), all.get(1).tolerance());
        assertEquals(Duration.ofDays(40), all.get(1).remember());
        assertEquals("/data/object/customer", all.get(1).key());
        assertNull(all.get(2).tolerance());
        assertEquals("/hooks/c", all.get(2).deliverTo());
        assertFalse(config.toString().contains("MfKQ9r8GKYqr"), "secrets are not shown");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "{ scheme: github, secrets: [ s ], deliver: { path: /in } }                        | 3:5 | 'path'",
                "{ path: /h, secrets: [ s ], deliver: { path: /in } }                              | 3:5 | 'scheme'",
                "{ path: /h, scheme: github, deliver: { path: /in } }                              | 3:5 | 'secrets'",
                "{ path: /h, scheme: github, secrets: [ s ] }                                      | 3:5 | 'deliver'",
                "{ path: /h, scheme: github, secrets: [ s ], deliver: { key: /id } }               | 3:58 | 'path'",
                "{ path: h, scheme: github, secrets: [ s ], deliver: { path: /in } }               | 3:13 | after a"
                        + " slash",
                "{ path: /h/, scheme: github, secrets: [ s ], deliver: { path: /in } }             | 3:13 | none at"
                        + " the end",
                "{ path: /.semel/h, scheme: github, secrets: [ s ], deliver: { path: /in } }       | 3:13 | segments",
                "{ path: /h/../x, scheme: github, secrets: [ s ], deliver: { path: /in } }         | 3:13 | segments",
                "{ path: /h, scheme: paypal, secrets: [ s ], deliver: { path: /in } }              | 3:25 | none of"
                        + " standard",
                "{ path: /h, scheme: github, secrets: [], deliver: { path: /in } }                 | 3:42 | no secret",
                "{ path: /h, scheme: github, secrets: [ '' ], deliver: { path: /in } }             | 3:44 | empty",
                "{ path: /h, scheme: github, secrets: s, deliver: { path: /in } }                  | 3:42 | list",
                "{ path: /h, scheme: standard, secrets: [ hidden ], deliver: { path: /in } }       | 3:46 | whsec_",
                "{ path: /h, scheme: standard, secrets: [ whsec_c2hvcnQ= ], deliver: { path: /in } } | 3:46 | bytes",
                "{ path: /h, scheme: github, secrets: [ s ], tolerance: 5m, deliver: { path: /in } } | 3:60 | no"
                        + " effect",
                "{ path: /h, scheme: stripe, secrets: [ s ], tolerance: 0s, deliver: { path: /in } } | 3:60 | nothing",
                "{ path: /h, scheme: stripe, secrets: [ s ], remember: 9m, deliver: { path: /in } }  | 3:59 | again",
                "{ path: /h, scheme: stripe, secrets: [ s ], deliver: { path: /in, key: id } }     | 3:76 | slash",
                "{ path: /h, scheme: stripe, secrets: [ s ], deliver: { path: /in }, retry: 1 }    | 3:73 | unknown",
            })
    void a_mistake_is_told_with_its_place(String webhook, String place, String says) {
        ConfigReader.Result result = read(webhook);
        List<ConfigProblem> problems = assertInstanceOf(ConfigReader.Result.Invalid.class, result, result::toString)
                .problems();
        assertEquals(1, problems.size(), problems::toString);
        String problem = problems.getFirst().toString();
        assertTrue(problem.startsWith("semel.yaml:" + place + ": "), problem);
        assertTrue(problem.contains(says), problem);
        assertFalse(problem.contains("hidden") || problem.contains("c2hvcnQ"), problem);
    }

    @Test
    void two_of_one_path_are_a_mistake() {
        String webhook = "{ path: /h, scheme: github, secrets: [ s ], deliver: { path: /in } }";
        ConfigReader.Result result = read(webhook, webhook.replace("/h", "/H"));
        assertTrue(result.toString().contains("by line 3"), result::toString);
    }

    @Test
    void without_postgresql_there_is_nowhere_to_keep_them() {
        GatewayConfig config = valid("{ path: /h, scheme: github, secrets: [ s ], deliver: { path: /in } }");
        String flaw = Objects.requireNonNull(WebhooksSettings.flaw(config));
        assertTrue(flaw.startsWith("semel.yaml:3:3: 'webhooks' needs a store in PostgreSQL"), flaw);
        assertNull(WebhooksSettings.flaw(config.withStore("jdbc:postgresql://db/semel")));
        assertEquals(
                List.of(),
                RestartSettings.changed(
                        config, valid("{ path: /h, scheme: github, secrets: [ s ], deliver: { path: /in } }")));
        assertEquals(
                List.of("webhooks"),
                RestartSettings.changed(
                        config, valid("{ path: /h, scheme: github, secrets: [ t ], deliver: { path: /in } }")));
    }
}
