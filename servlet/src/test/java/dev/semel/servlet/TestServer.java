package dev.semel.servlet;

import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** A real servlet server on a free port of 127.0.0.1. */
interface TestServer extends AutoCloseable {

    int port();

    @Override
    void close();

    default InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port());
    }

    /** Starts a server of some kind. */
    @FunctionalInterface
    interface Kind {
        /** @param contextPath of the application; empty for all paths */
        TestServer start(String contextPath, Filter filter, Servlet servlet) throws Exception;
    }
}
