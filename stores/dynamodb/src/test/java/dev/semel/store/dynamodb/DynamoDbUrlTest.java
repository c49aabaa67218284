package dev.semel.store.dynamodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(SharedServer.class)
class DynamoDbUrlTest {
    private static DynamoDbUrl parse(String url) {
        return DynamoDbUrl.parse(url, DynamoDbOptions.DEFAULT);
    }

    @Test
    void region_and_table_are_enough() {
        DynamoDbUrl url = parse("dynamodb://eu-central-1/semel_keys.v1");
        assertEquals("eu-central-1", url.region());
        assertEquals("semel_keys.v1", url.table());
        assertNull(url.endpoint());
        assertEquals(DynamoDbOptions.DEFAULT, url.options());
        assertEquals(Duration.ofSeconds(10), url.options().skew());
    }

    @Test
    void parameters_win_over_options() {
        DynamoDbUrl url = parse("dynamodb://us-gov-west-1/keys?endpoint=http%3A%2F%2F127.0.0.1%3A8000&create=true"
                + "&skew=250ms&sweep=300&strip=false&connections=7&accept-loss=true");
        assertEquals(URI.create("http://127.0.0.1:8000"), url.endpoint());
        assertEquals(
                DynamoDbOptions.DEFAULT
                        .withCreateTable(true)
                        .withAcceptLoss(true)
                        .withSkew(Duration.ofMillis(250))
                        .withSweepUnits(300)
                        .withStrip(false)
                        .withConnections(7),
                url.options());
        assertEquals(
                0, parse("dynamodb://eu-central-1/keys?sweep=off").options().sweepUnits());
        assertEquals(
                Duration.ZERO,
                parse("dynamodb://eu-central-1/keys?skew=0s").options().skew());
        assertEquals(
                Duration.ofMinutes(2),
                parse("dynamodb://eu-central-1/keys?skew=2m").options().skew());
        assertEquals(
                URI.create("http://[::1]:8000"),
                parse("dynamodb://eu-central-1/keys?endpoint=http://[::1]:8000").endpoint());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dynamodb:eu-central-1/keys",
                "dynamodb://eu-central-1",
                "dynamodb://eu-central-1/",
                "dynamodb://eu-central-1/no",
                "dynamodb://eu-central-1/keys/more",
                "dynamodb:///keys",
                "dynamodb://EU CENTRAL/keys",
                "dynamodb://eu-central-1:443/keys",
                "dynamodb://eu-central-1/keys?create",
                "dynamodb://eu-central-1/keys?create=yes",
                "dynamodb://eu-central-1/keys?skew=ten",
                "dynamodb://eu-central-1/keys?skew=-1s",
                "dynamodb://eu-central-1/keys?sweep=0",
                "dynamodb://eu-central-1/keys?sweep=slow",
                "dynamodb://eu-central-1/keys?connections=0",
                "dynamodb://eu-central-1/keys?endpoint=127.0.0.1:8000",
                "dynamodb://eu-central-1/keys?endpoint=ftp://host",
                "dynamodb://eu-central-1/keys?endpoint=http://%zz",
                "dynamodb://eu-central-1/keys?retries=3"
            })
    void anything_else_is_refused_in_a_sentence(String url) {
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> parse(url));
        assertTrue(refused.getMessage().startsWith("The store URL cannot be used: "), refused.getMessage());
        assertTrue(refused.getMessage().contains("looks like dynamodb://"), refused.getMessage());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dynamodb://AKIAEXAMPLE:s3cr3t@eu-central-1/keys",
                "dynamodb://eu-central-1/keys?accessKeyId=AKIAEXAMPLE&secretAccessKey=s3cr3t",
                "dynamodb://eu-central-1/keys?aws_session_token=s3cr3t",
                "dynamodb://eu-central-1/keys?endpoint=http://user:s3cr3t@host:8000"
            })
    void credentials_are_refused_and_not_repeated(String url) {
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> parse(url));
        assertTrue(refused.getMessage().contains("Credentials do not belong in a store URL"), refused.getMessage());
        assertFalse(refused.getMessage().contains("s3cr3t"), refused.getMessage());
        assertFalse(refused.getMessage().contains("AKIA"), refused.getMessage());
    }

    @Test
    void a_skew_that_no_store_may_declare_is_refused_when_it_is_opened() {
        assertThrows(
                IllegalArgumentException.class,
                () -> DynamoDbKeyStore.open(
                        Tables.url(SharedServer.get().endpoint(), Tables.freshName()) + "&create=true&skew=61m"));
    }
}
