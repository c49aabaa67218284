package dev.semel.testkit.dynamodb;

import java.lang.reflect.Field;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import software.amazon.dynamodb.services.local.main.ServerRunner;
import software.amazon.dynamodb.services.local.server.DynamoDBProxyServer;

/** The main class of the child process: DynamoDB Local with the options given, on 127.0.0.1 alone, which no option says. */
final class LocalMain {
    private LocalMain() {}

    public static void main(String[] options) throws Exception {
        DynamoDBProxyServer server = ServerRunner.createServerFromCommandLineArgs(options);
        for (Connector connector : jettyOf(server).getConnectors()) ((ServerConnector) connector).setHost("127.0.0.1");
        server.start();
        server.join();
    }

    private static Server jettyOf(DynamoDBProxyServer server) throws IllegalAccessException {
        for (Field field : DynamoDBProxyServer.class.getDeclaredFields()) {
            if (field.getType() != Server.class) continue;
            field.setAccessible(true);
            return (Server) field.get(server);
        }
        throw new IllegalStateException("This version of DynamoDB Local keeps its Jetty somewhere else.");
    }
}
