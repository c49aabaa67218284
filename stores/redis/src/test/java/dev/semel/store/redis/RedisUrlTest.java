package dev.semel.store.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisUrlTest {
    @Test
    void every_option_is_read() {
        RedisUrl url = RedisUrl.parse("redis://u:p%40ss@h:7000/3?prefix=pay:&wait=2&skew=250ms&accept-loss=true");
        RedisURI server = url.servers().getFirst();
        assertEquals(
                List.of("h", "7000", "3"), List.of(server.getHost(), "" + server.getPort(), "" + server.getDatabase()));
        assertEquals("pay:", url.prefix());
        assertEquals(2, url.replicas());
        assertEquals(Duration.ofMillis(250), url.skew());
        assertTrue(url.lossAccepted());
    }

    @Test
    void what_is_not_said_has_a_default() {
        RedisUrl url = RedisUrl.parse("redis://h");
        assertEquals(6379, url.servers().getFirst().getPort());
        assertEquals(new RedisUrl(false, url.servers(), "semel:", 0, null, false), url);
    }

    @Test
    void the_seeds_of_a_cluster_share_user_password_and_tls() {
        RedisUrl url = RedisUrl.parse("rediss-cluster://u:p@a:1,b:2,c?verifyPeer=NONE");
        assertTrue(url.cluster());
        assertEquals(
                List.of("a:1", "b:2", "c:6379"),
                url.servers().stream().map(RedisUrl::address).toList());
        for (RedisURI seed : url.servers()) {
            assertTrue(seed.isSsl());
            assertFalse(seed.isVerifyPeer());
            assertEquals(
                    "u",
                    seed.getCredentialsProvider().resolveCredentials().block().getUsername());
        }
    }

    @Test
    void sentinels_are_asked_for_the_master_they_name() {
        RedisURI uri = RedisUrl.parse("redis-sentinel://a:1,b:2#main").servers().getFirst();
        assertEquals("main", uri.getSentinelMasterId());
        assertEquals(2, uri.getSentinels().size());
    }

    @ParameterizedTest
    @CsvSource({
        "redis://h?acceptloss=true, does not know the option 'acceptloss'",
        "redis://h?timeout=5s, does not know the option 'timeout'",
        "redis://h?accept-loss=yes, accept-loss is true or false",
        "redis://h?wait=some, wait is a number",
        "redis://h?wait=17, wait is a number",
        "redis://h?skew=2h, skew is a time",
        "redis://h?prefix={a}, a prefix has",
        "redis-cluster://h:1/2, database 0 only",
        "'redis-sentinel://a:1,b:2', does not name the master",
        "redis://, The store URL",
        "http://h, The store URL",
        "redis://h:port, The store URL",
    })
    void what_cannot_be_used_is_refused_with_the_reason(String url, String reason) {
        String message = assertThrows(IllegalArgumentException.class, () -> RedisUrl.parse(url))
                .getMessage();
        assertTrue(message.contains(reason), message);
        assertTrue(message.contains("redis-cluster://host:port"), message);
    }

    @Test
    void no_message_has_a_password() {
        for (String url :
                List.of("redis://u:secret@h?x=1", "redis-cluster://:secret@h:1,i:2?x", "redis://u:secret@h:p"))
            assertFalse(assertThrows(IllegalArgumentException.class, () -> RedisUrl.parse(url))
                    .getMessage()
                    .contains("secret"));
    }
}
