package dev.semel.broker.kafka;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Properties;

/** {@code kafka://host:port,host:port?setting=value&setting=value}. */
final class KafkaUrl {
    private static final String SCHEME = "kafka://";
    private static final String NAMESPACE = "namespace";

    private KafkaUrl() {}

    static ProducerSettings parse(String url, String source) {
        Properties settings = settingsOf(url);
        String namespace = settings.getProperty(NAMESPACE, source.replaceAll("[^A-Za-z0-9._-]+", "-"));
        settings.remove(NAMESPACE);
        return ProducerSettings.of(settings, namespace);
    }

    /** By Kafka's names, its servers among them. */
    static Properties settingsOf(String url) {
        if (!url.startsWith(SCHEME))
            throw new IllegalArgumentException(
                    "The URL of a Kafka is kafka://host:port,host:port, not " + url.replaceAll("[?@].*", "…") + ".");
        int question = url.indexOf('?');
        String servers = url.substring(SCHEME.length(), question < 0 ? url.length() : question);
        Properties settings = question < 0 ? new Properties() : settings(url.substring(question + 1));
        settings.setProperty("bootstrap.servers", withoutSlash(servers));
        return settings;
    }

    private static String withoutSlash(String servers) {
        return servers.endsWith("/") ? servers.substring(0, servers.length() - 1) : servers;
    }

    private static Properties settings(String query) {
        Properties settings = new Properties();
        for (String each : query.split("&", -1)) {
            int equals = each.indexOf('=');
            if (equals < 1)
                throw new IllegalArgumentException(
                        "After the question mark of a Kafka's URL stand settings, as in ?compression.type=lz4&"
                                + "security.protocol=SSL.");
            settings.setProperty(decoded(each.substring(0, equals)), decoded(each.substring(equals + 1)));
        }
        return settings;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
