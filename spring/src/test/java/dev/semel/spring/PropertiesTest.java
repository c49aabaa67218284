package dev.semel.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.semel.spring.messaging.InboxProperties;
import dev.semel.spring.messaging.RelayProperties;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The properties as an IDE knows them. */
class PropertiesTest {
    private static final Set<String> WITHOUT_DEFAULT =
            Set.of("semel.store", "semel.relay.broker", "semel.relay.source", "semel.inbox.keep");
    private static final String METADATA = "/META-INF/spring-configuration-metadata.json";

    @Test
    void every_property_has_a_description_and_nothing_else_is_listed() throws Exception {
        Map<String, JsonNode> listed = new TreeMap<>();
        try (InputStream file = SemelProperties.class.getResourceAsStream(METADATA)) {
            for (JsonNode each : new ObjectMapper().readTree(file).at("/properties"))
                if (each.at("/name").asText().startsWith("semel."))
                    listed.put(each.at("/name").asText(), each);
        }
        Set<String> declared = new TreeSet<>();
        declare(declared, "semel.", SemelProperties.class);
        declare(declared, "semel.relay.", RelayProperties.class);
        declare(declared, "semel.inbox.", InboxProperties.class);
        assertEquals(declared, new TreeSet<>(listed.keySet()));
        assertTrue(declared.contains("semel.http.filter-order") && declared.contains("semel.wait-for"));
        listed.forEach((name, property) -> {
            assertTrue(property.at("/description").asText().length() > 20, name);
            if (!WITHOUT_DEFAULT.contains(name)) assertTrue(property.has("defaultValue"), name);
        });
    }

    private static void declare(Set<String> names, String prefix, Class<?> type) {
        for (RecordComponent each : type.getRecordComponents()) {
            String name = prefix + each.getName().replaceAll("([A-Z])", "-$1").toLowerCase(java.util.Locale.ROOT);
            if (each.getType().isRecord()) declare(names, name + ".", each.getType());
            else names.add(name);
        }
    }
}
