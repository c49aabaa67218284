package dev.semel.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import java.util.EnumSet;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Jetty, in this process. */
final class JettyServer implements TestServer {
    private static final int MANY_THREADS = 500;

    private final Server server;

    private JettyServer(Server server) {
        this.server = server;
    }

    static JettyServer start(String contextPath, Filter filter, Servlet servlet) throws Exception {
        Server server = new Server(new QueuedThreadPool(MANY_THREADS));
        HttpConfiguration http = new HttpConfiguration();
        // What a path means is for the routes to judge.
        http.setUriCompliance(UriCompliance.UNSAFE);
        http.setRequestHeaderSize(65_536);
        http.setResponseHeaderSize(65_536);
        ServerConnector connector = new ServerConnector(server, new HttpConnectionFactory(http));
        connector.setHost("127.0.0.1");
        connector.setPort(0);
        connector.setAcceptQueueSize(1000);
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler(contextPath.isEmpty() ? "/" : contextPath);
        context.getServletHandler().setDecodeAmbiguousURIs(true);
        FilterHolder semel = new FilterHolder(filter);
        semel.setAsyncSupported(true);
        context.addFilter(semel, "/*", EnumSet.allOf(DispatcherType.class));
        ServletHolder application = new ServletHolder(servlet);
        application.setAsyncSupported(true);
        context.addServlet(application, "/*");
        server.setHandler(context);
        server.start();
        return new JettyServer(server);
    }

    @Override
    public int port() {
        return ((ServerConnector) server.getConnectors()[0]).getLocalPort();
    }

    @Override
    public void close() {
        try {
            server.stop();
            server.destroy();
        } catch (Exception e) {
            throw new IllegalStateException("Jetty does not stop.", e);
        }
    }
}
