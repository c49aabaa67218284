package dev.semel.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServiceNamesTest {
    /** RFC 9110 §5.6.2: what a method is made of. */
    private static final String METHOD = "!#$%&'*+-.^_`|~09AZaz";

    private static final String ANY = METHOD + " /:?é";

    @ParameterizedTest
    @CsvSource({
        "charge, charge",
        "POST /v1/charges, service:POST /v1/charges",
        "service:charge, service:service:charge",
        "service:POST /v1/charges, service:service:POST /v1/charges",
        "POST v1, POST v1",
        "/v1/charges, /v1/charges",
    })
    void a_name_that_could_be_of_requests_is_kept_with_a_mark(String operation, String kept) {
        assertEquals(kept, ServiceNames.kept(operation));
        assertTrue(ServiceNames.isService(kept));
        assertEquals(kept, ServiceNames.asked(ServiceNames.PREFIX + operation));
    }

    @Test
    void no_name_of_the_service_api_is_kept_like_an_operation_of_requests_or_like_another() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        RoutePattern everything = RoutePattern.parse("* /**");
        Map<String, String> claimedAs = new HashMap<>();
        for (int i = 0; i < 100_000; i++) {
            String request = everything.operation(text(random, METHOD, 3), "/" + text(random, ANY, 4));
            assertFalse(ServiceNames.isService(request), request + "; seed " + seed);
            String claimed = random.nextInt(4) == 0 ? request : prefix(random) + text(random, ANY, 5);
            String kept = ServiceNames.kept(claimed);
            assertTrue(ServiceNames.isService(kept), kept + "; seed " + seed);
            String other = claimedAs.put(kept, claimed);
            assertTrue(other == null || other.equals(claimed), other + " and " + claimed + "; seed " + seed);
        }
    }

    private static String prefix(Random random) {
        return random.nextBoolean() ? "" : ServiceNames.PREFIX.repeat(1 + random.nextInt(2));
    }

    private static String text(Random random, String alphabet, int longest) {
        StringBuilder text = new StringBuilder();
        for (int left = 1 + random.nextInt(longest); left > 0; left--)
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        return text.toString();
    }
}
