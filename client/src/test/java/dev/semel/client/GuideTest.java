package dev.semel.client;

import static dev.semel.client.ScriptedServer.LOSES_THE_ANSWER;
import static dev.semel.client.ScriptedServer.answers;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.client.guide.Shop;
import dev.semel.client.ledger.FileLedger;
import dev.semel.client.ledger.Ledger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** docs/client.md: its code is compiled and run, and what it says of defaults, crash points and answers is so. */
@Timeout(60)
class GuideTest {
    private static final Path ROOT = Path.of(System.getProperty("semel.root", ".."));

    @TempDir
    Path folder;

    @Test
    void the_guide_quotes_the_shop_and_nothing_else() throws Exception {
        String source = Files.readString(ROOT.resolve("client/src/test/java/dev/semel/client/guide/Shop.java"));
        List<String> compiled = found("// guide\n(.*?)// end", source);
        List<String> quoted = found("```java\n(.*?)```", guide());
        assertEquals(compiled, quoted);
        assertEquals(8, quoted.size());
    }

    private static String guide() throws Exception {
        return Files.readString(ROOT.resolve("docs/client.md"));
    }

    private static List<String> found(String pattern, String text) {
        return Pattern.compile(pattern, Pattern.DOTALL)
                .matcher(text)
                .results()
                .map(each -> each.group(1).replaceAll("\\s+", ""))
                .toList();
    }

    @Test
    void the_guide_names_every_refusal_every_ending_and_every_setting() throws Exception {
        String guide = guide();
        Stream<String> names = Stream.of(
                        Stream.of(Answer.Refusal.values()).map(Enum::name),
                        Stream.of(Answer.Ended.values()).map(Enum::name),
                        Stream.of(CrashChild.Point.values())
                                .map(each -> each.name().substring(0, 2)),
                        Stream.of(SemelClientBuilder.class.getDeclaredMethods())
                                .filter(each -> java.lang.reflect.Modifier.isPublic(each.getModifiers()))
                                .map(each -> each.getName()))
                .flatMap(each -> each);
        assertEquals(
                List.of(),
                names.filter(each -> !guide.contains("`" + each + "`")).toList());
    }

    @Test
    void the_shop_pays_once_over_a_bad_network_and_a_restart() throws Exception {
        Path file = folder.resolve("payments.ledger");
        try (ScriptedServer bank = new ScriptedServer()) {
            bank.then(LOSES_THE_ANSWER);
            Shop shop = new Shop(bank.uri("/"), () -> "t-1");
            SemelClient open = shop.client(file);
            assertEquals("paid: charge-1", Shop.tell(shop.payFor("17", open)));
            assertEquals("paid: charge-1", Shop.tell(shop.payFor("17", open)));
            assertEquals("Bearer t-1", bank.seen().getFirst().headers().get("Authorization"));
            bank.then(answers(402, "declined"));
            assertEquals("not paid: 402", Shop.tell(shop.payFor("18", open)));
            assertEquals(1, bank.effects());

            try (Ledger other = FileLedger.open(folder.resolve("other.ledger"));
                    SemelClient client = SemelClient.on(other)
                            .time(new JumpTime())
                            .patience(Duration.ofSeconds(5))
                            .build()) {
                bank.then(answers(503, "", "Retry-After", "9"));
                var request =
                        java.net.http.HttpRequest.newBuilder(bank.uri("/")).build();
                assertEquals("We are waiting for the bank.", Shop.tell(client.send(Intent.of("19"), request)));
                assertEquals(new Resumption(1, 0, 0), Shop.finishWhatWasPending(client));
                String before = shop.payFor("17", client).key();
                assertNotEquals(before, shop.payAgain("17", client).key());
            }
        }
        assertEquals(
                Shop.firstInstalment("ann", "17").derivedKey(),
                Shop.firstInstalment("ann", "17").derivedKey());
    }

    /** So that whoever copies from the guide depends on what is there. */
    @Test
    void the_guide_names_the_artifact() throws Exception {
        Matcher artifact = Pattern.compile("<artifactId>(.*?)</artifactId>").matcher(guide());
        assertTrue(artifact.find());
        assertEquals("semel-client", artifact.group(1));
    }
}
