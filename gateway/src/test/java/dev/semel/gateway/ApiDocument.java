package dev.semel.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion;
import java.net.http.HttpHeaders;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;

/** The published description of the service API, held against what is really asked and answered. */
final class ApiDocument {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonSchemaFactory SCHEMAS = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012);
    private static final SchemaValidatorsConfig STRICT =
            SchemaValidatorsConfig.builder().formatAssertionsEnabled(true).build();
    private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch", "head", "options");

    private final JsonNode document;
    private final Set<String> seen = new ConcurrentSkipListSet<>();

    ApiDocument(String text) throws Exception {
        this.document = JSON.readTree(text);
        assertEquals("3.1.0", document.path("openapi").asText());
    }

    /** Fails unless the document says that a request like this may be answered like this. */
    void check(String method, String path, String asked, int status, HttpHeaders headers, String answer)
            throws Exception {
        String template = template(path);
        if (template == null) {
            assertEquals(404, status, path + " is not in the document");
            return;
        }
        JsonNode operations = document.path("paths").path(template);
        JsonNode operation = operations.get(method.toLowerCase(Locale.ROOT));
        if (operation == null) {
            assertEquals(405, status, method + " " + template + " is not in the document");
            assertEquals(allowed(operations), headers.firstValue("Allow").orElse(""));
            return;
        }
        String name = method + " " + template + " " + status;
        JsonNode response = resolved(operation.path("responses").path(Integer.toString(status)));
        assertFalse(response.isMissingNode(), name + " is not in the document: " + answer);
        checkHeaders(name, response.path("headers"), headers);
        checkBody(
                name,
                response.path("content"),
                headers.firstValue("Content-Type").orElse(""),
                answer);
        if (status < 300 && operation.has("requestBody"))
            checkBody(name, operation.at("/requestBody/content"), "application/json", asked);
        seen.add(name);
    }

    private String template(String path) {
        String plain = path.replaceAll("\\?.*", "");
        for (String template : names(document.path("paths")))
            if (plain.matches(template.replace(".", "\\.").replaceAll("\\{\\w+}", "[^/]+"))) return template;
        return null;
    }

    /** The head of what can be got can be had too, and is never listed apart. */
    private static String allowed(JsonNode operations) {
        return String.join(
                ", ",
                names(operations).stream()
                        .filter(METHODS::contains)
                        .map(it -> it.equals("get") ? "GET, HEAD" : it.toUpperCase(Locale.ROOT))
                        .toList());
    }

    private void checkHeaders(String name, JsonNode documented, HttpHeaders headers) throws Exception {
        for (String header : names(documented)) {
            JsonNode rule = resolved(documented.get(header));
            String value = headers.firstValue(header).orElse(null);
            if (value == null) {
                assertFalse(rule.path("required").asBoolean(), name + " has no " + header);
                continue;
            }
            boolean number = rule.at("/schema/type").asText().equals("integer");
            validate(name + " " + header, rule.get("schema"), number ? value : JSON.writeValueAsString(value));
        }
    }

    private void checkBody(String name, JsonNode content, String type, String body) throws Exception {
        JsonNode schema = content.path(type).get("schema");
        assertNotNull(schema, name + " has a body of a type that is not in the document: " + type);
        validate(name, schema, body);
    }

    private void validate(String name, JsonNode schema, String json) throws Exception {
        ObjectNode whole = schema.deepCopy();
        whole.put("$schema", SpecVersion.VersionFlag.V202012.getId());
        whole.set("components", document.path("components"));
        var flaws = SCHEMAS.getSchema(whole, STRICT).validate(JSON.readTree(json));
        assertTrue(flaws.isEmpty(), name + ": " + flaws + "\n" + json);
    }

    private JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? document.at(node.get("$ref").asText().substring(1)) : node;
    }

    /** Every method, path and status of the document that no request has met. */
    Set<String> unseen() {
        Set<String> unseen = new TreeSet<>();
        document.path("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .properties()
                        .forEach(operation -> names(operation.getValue().path("responses"))
                                .forEach(status -> unseen.add(operation.getKey().toUpperCase(Locale.ROOT) + " "
                                        + path.getKey() + " " + status))));
        unseen.removeAll(seen);
        return unseen;
    }

    /** @return how many examples there are; each must be what its schema says */
    int checkExamples() throws Exception {
        int count = 0;
        for (JsonNode content : document.findValues("content")) {
            for (JsonNode media : content) {
                for (JsonNode example : media.path("examples")) {
                    validate("example", media.get("schema"), JSON.writeValueAsString(example.get("value")));
                    count++;
                }
            }
        }
        return count;
    }

    private static List<String> names(JsonNode node) {
        return node.properties().stream().map(it -> it.getKey()).toList();
    }
}
