package dev.semel.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.buf.EncodedSolidusHandling;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/** Tomcat, in this process. */
final class TomcatServer implements TestServer {
    private final Tomcat tomcat;
    private final ExecutorService threads;
    private final Path folder;

    private TomcatServer(Tomcat tomcat, ExecutorService threads, Path folder) {
        this.tomcat = tomcat;
        this.threads = threads;
        this.folder = folder;
    }

    static TomcatServer start(String contextPath, Filter filter, Servlet servlet)
            throws LifecycleException, IOException {
        Path folder = Files.createTempDirectory("tomcat-");
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(folder.toString());
        tomcat.setConnector(connector(threads));
        Context context = tomcat.addContext(contextPath, folder.toString());
        FilterDef definition = new FilterDef();
        definition.setFilterName("semel");
        definition.setFilter(filter);
        definition.setAsyncSupported("true");
        context.addFilterDef(definition);
        FilterMap mapping = new FilterMap();
        mapping.setFilterName("semel");
        mapping.addURLPattern("/*");
        for (DispatcherType type : EnumSet.allOf(DispatcherType.class)) mapping.setDispatcher(type.name());
        context.addFilterMap(mapping);
        Tomcat.addServlet(context, "application", servlet).setAsyncSupported(true);
        context.addServletMappingDecoded("/*", "application");
        tomcat.start();
        return new TomcatServer(tomcat, threads, folder);
    }

    private static Connector connector(ExecutorService threads) {
        Connector connector = new Connector("HTTP/1.1");
        connector.setPort(0);
        connector.setProperty("address", "127.0.0.1");
        connector.setProperty("maxHttpRequestHeaderSize", "65536");
        connector.setProperty("maxHttpResponseHeaderSize", "65536");
        connector.setProperty("maxSwallowSize", "20000000");
        connector.setProperty("acceptCount", "1000");
        // What a path means is for the routes to judge.
        connector.setEncodedSolidusHandling(EncodedSolidusHandling.PASS_THROUGH.getValue());
        connector.getProtocolHandler().setExecutor(threads);
        return connector;
    }

    @Override
    public int port() {
        return tomcat.getConnector().getLocalPort();
    }

    @Override
    public void close() {
        try {
            tomcat.stop();
            tomcat.destroy();
            threads.close();
            try (var files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) Files.deleteIfExists(file);
            }
        } catch (LifecycleException | IOException e) {
            throw new IllegalStateException("Tomcat does not stop.", e);
        }
    }
}
