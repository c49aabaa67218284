package dev.semel.http.tenant;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Locale;

/** Where a JWKS is: in a file, or at an http or https URL. */
public sealed interface JwksPlace {

    record File(Path path) implements JwksPlace {}

    record Url(URI url) implements JwksPlace {}

    /** @throws IllegalArgumentException when the text begins like a URL and is none, or cannot be the name of a file */
    static JwksPlace parse(String text) {
        String start = text.toLowerCase(Locale.ROOT);
        if (!start.startsWith("http://") && !start.startsWith("https://")) return new File(Path.of(text));
        try {
            URI url = new URI(text);
            if (url.getHost() != null && url.getRawUserInfo() == null && url.getRawFragment() == null)
                return new Url(url);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("'" + text + "' is not a URL: " + e.getReason(), e);
        }
        throw new IllegalArgumentException("'" + text + "' is not a URL of a host, without a user and a fragment");
    }
}
