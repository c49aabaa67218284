package dev.semel.servlet;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

class TomcatHttpContractTest extends ServletHttpContract {
    @Override
    TestServer.Kind kind() {
        return TomcatServer::start;
    }

    /** Tomcat closes a connection after each 400 that it sends. */
    @Override
    public Stream<DynamicTest> connections() {
        return without(super.connections(), "one connection carries many requests, refused ones among them");
    }
}
