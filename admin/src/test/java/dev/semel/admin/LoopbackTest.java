package dev.semel.admin;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoopbackTest {
    @ParameterizedTest
    @ValueSource(
            strings = {"localhost", "a.localhost", "LocalHost:1", "127.0.0.1", "127.9.9.9:80", "[::1]", "[::1]:80"})
    void these_mean_this_machine(String authority) {
        assertTrue(Loopback.isAuthority(authority));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":80",
                "example.org",
                "localhost.example.org",
                "notlocalhost",
                "127.0.0.1.example.org",
                "127.0.0",
                "128.0.0.1",
                "0.0.0.0",
                "[::]",
                "[::1",
                "[::1]x",
                "[::1].example.org:80",
                "localhost:80@example.org",
                "example.org:localhost"
            })
    void these_do_not(String authority) {
        assertFalse(Loopback.isAuthority(authority));
    }
}
