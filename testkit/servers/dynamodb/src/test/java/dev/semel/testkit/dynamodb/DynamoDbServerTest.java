package dev.semel.testkit.dynamodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DynamoDbServerTest {
    private static final String TABLE = "{\"TableName\":\"table\",\"BillingMode\":\"PAY_PER_REQUEST\","
            + "\"KeySchema\":[{\"AttributeName\":\"id\",\"KeyType\":\"HASH\"}],"
            + "\"AttributeDefinitions\":[{\"AttributeName\":\"id\",\"AttributeType\":\"S\"}]}";

    @TempDir
    Path folder;

    @Test
    void what_was_written_survives_kill_9_on_the_same_port() throws Exception {
        try (DynamoDbServer server = DynamoDbServer.start(folder)) {
            URI endpoint = server.endpoint();
            call(endpoint, "CreateTable", TABLE);
            call(endpoint, "PutItem", "{\"TableName\":\"table\",\"Item\":{\"id\":{\"S\":\"a\"}}}");
            long first = server.pid();
            server.kill9();
            assertThrows(IOException.class, () -> call(endpoint, "ListTables", "{}"));
            server.restart();
            assertFalse(first == server.pid());
            assertEquals(endpoint, server.endpoint());
            assertTrue(call(endpoint, "GetItem", "{\"TableName\":\"table\",\"Key\":{\"id\":{\"S\":\"a\"}}}")
                    .contains("\"a\""));
        }
    }

    @Test
    void a_paused_server_says_nothing_until_it_is_resumed() throws Exception {
        try (DynamoDbServer server = DynamoDbServer.startInMemory(folder)) {
            server.pause();
            assertThrows(IOException.class, () -> call(server.endpoint(), "ListTables", "{}"));
            server.resume();
            assertTrue(call(server.endpoint(), "ListTables", "{}").contains("TableNames"));
        }
    }

    @Test
    void nobody_reaches_it_from_another_machine() throws Exception {
        try (DynamoDbServer server = DynamoDbServer.startInMemory(folder)) {
            for (NetworkInterface each : NetworkInterface.networkInterfaces().toList())
                for (InetAddress address : each.inetAddresses().toList())
                    if (!address.isLoopbackAddress())
                        assertThrows(IOException.class, () -> connect(address, server.port()), address.toString());
        }
    }

    private static void connect(InetAddress address, int port) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, port), 1000);
        }
    }

    private static String call(URI endpoint, String what, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(endpoint)
                .timeout(Duration.ofSeconds(2))
                .header("X-Amz-Target", "DynamoDB_20120810." + what)
                .header("Content-Type", "application/x-amz-json-1.0")
                .header(
                        "Authorization",
                        "AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request,"
                                + " SignedHeaders=host, Signature=0")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            assertEquals(200, answer.statusCode(), answer.body());
            return answer.body();
        }
    }
}
