package dev.semel.store.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.store.cassandra.CassandraOptions.Consistency;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CassandraUrlTest {
    private static CassandraUrl parse(String url) {
        return CassandraUrl.parse(url, CassandraOptions.DEFAULT);
    }

    private static InetSocketAddress host(String name, int port) {
        return InetSocketAddress.createUnresolved(name, port);
    }

    @Test
    void what_it_leaves_open_is_as_usual() {
        CassandraUrl url = parse("cassandra://h1,h2/semel?dc=dc1");
        assertEquals(List.of(host("h1", 9042), host("h2", 9042)), url.hosts());
        assertEquals("semel", url.keyspace());
        assertEquals("dc1", url.datacenter());
        assertNull(url.credentials());
        assertEquals(CassandraOptions.DEFAULT, url.options());
        assertFalse(url.create() || url.tls());
    }

    @Test
    void the_last_port_is_that_of_all_hosts_without_one() {
        assertEquals(
                List.of(host("h1", 9999), host("h2", 1), host("::1", 9999)),
                parse("cassandra://h1,h2:1,[::1]:9999/ks").hosts());
    }

    @Test
    void everything_can_be_said() {
        CassandraUrl url = parse("cassandra://me:p%40ss+w%2Ford@h/ks?dc=dc%201&consistency=local&skew=500ms&timeout=5s"
                + "&tls=true&create=true");
        assertEquals("dc 1", url.datacenter());
        assertEquals(new CassandraUrl.Credentials("me", "p@ss+w/ord"), url.credentials());
        assertEquals(Consistency.LOCAL, url.options().consistency());
        assertEquals(Duration.ofMillis(500), url.options().skew());
        assertEquals(Duration.ofSeconds(5), url.options().requestTimeout());
        assertTrue(url.create() && url.tls());
    }

    @Test
    void user_and_password_may_be_parameters() {
        assertEquals(
                new CassandraUrl.Credentials("me", "s3cret"),
                parse("cassandra://h/ks?user=me&password=s3cret").credentials());
    }

    @Test
    void the_password_is_nowhere_to_be_read() {
        CassandraUrl url = parse("cassandra://me:s3cret@h/ks");
        assertEquals("s3cret", Objects.requireNonNull(url.credentials()).password());
        assertFalse(url.toString().contains("s3cret"), url.toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cassandra:",
                "cassandra://",
                "cassandra://me:s3cret@/ks",
                "cassandra://me:s3cret@h",
                "cassandra://me:s3cret@h/",
                "cassandra://me:s3cret@h/ks;drop",
                "cassandra://me:s3cret@h/Ks",
                "cassandra://me:s3cret@h:0/ks",
                "cassandra://me:s3cret@h:99999/ks",
                "cassandra://me:s3cret@h:port/ks",
                "cassandra://me:s3cret@h,,i/ks",
                "cassandra://me:s3cret@h/ks?dc",
                "cassandra://me:s3cret@h/ks?dc=",
                "cassandra://me:s3cret@h/ks?dc=a&dc=b",
                "cassandra://me:s3cret@h/ks?datacenter=a",
                "cassandra://me:s3cret@h/ks?consistency=quorum",
                "cassandra://me:s3cret@h/ks?consistency=local",
                "cassandra://me:s3cret@h/ks?skew=10",
                "cassandra://me:s3cret@h/ks?skew=2h",
                "cassandra://me:s3cret@h/ks?skew=61m",
                "cassandra://me:s3cret@h/ks?timeout=0s",
                "cassandra://me:s3cret@h/ks?tls=yes",
                "cassandra://me:s3cret%@h/ks",
                "cassandra://s3cret@h/ks",
                "cassandra://h/ks?password=s3cret",
                "jdbc:postgresql://h/ks?password=s3cret"
            })
    void a_bad_url_is_refused_with_the_form_it_should_have(String url) {
        String refused =
                assertThrows(IllegalArgumentException.class, () -> parse(url)).getMessage();
        assertFalse(refused.contains("s3cret"), refused);
        assertTrue(refused.contains("cassandra://host1") || refused.contains("skew") || refused.contains("timeout"));
    }
}
