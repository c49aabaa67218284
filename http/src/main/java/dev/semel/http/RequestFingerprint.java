package dev.semel.http;

import dev.semel.core.key.Fingerprint;
import dev.semel.http.json.CanonicalJson;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The fingerprint of a request: a digest of its method, path, query, content type and body. A retry that asks for the
 * same thing has the same fingerprint, also when its query, its content type or its JSON is spelled another way; a
 * request that asks for something else has another.
 *
 * <ul>
 *   <li>Query: the order of parameters does not matter, but among several of one name it does.
 *   <li>Content type: letter case, white space and order of parameters do not matter.
 *   <li>Body: JSON in UTF-8 ({@code application/json}, {@code …+json}) counts in its canonical form without the
 *       excluded members, if it has one ({@link CanonicalJson}); any other body counts byte by byte.
 * </ul>
 *
 * Algorithm 1 is SHA-256 over these parts, each preceded by its length, so that no two requests run together. A change
 * to anything here needs a new algorithm id: fingerprints live as long as keys do. Immutable, for use by any thread.
 */
public final class RequestFingerprint {
    public static final int ALGORITHM = 1;

    /** Everything counts. */
    public static final RequestFingerprint DEFAULT = excluding(List.of());

    private static final int BYTES = 0;
    private static final int JSON = 1;

    private final List<String> excluded;
    private final CanonicalJson json;

    private RequestFingerprint(List<String> excluded) {
        this.excluded = List.copyOf(excluded);
        this.json = CanonicalJson.excluding(this.excluded);
    }

    /**
     * Leaves members of JSON bodies out of account, such as the time of sending.
     *
     * @param pointers JSON pointers (RFC 6901), for example {@code /metadata/sentAt}
     * @throws IllegalArgumentException when one is not a JSON pointer, or names the whole body
     */
    public static RequestFingerprint excluding(List<String> pointers) {
        return new RequestFingerprint(pointers);
    }

    /** The JSON pointers that do not count. */
    public List<String> excluded() {
        return excluded;
    }

    public Fingerprint of(HttpRequest request) {
        PartsDigest digest = new PartsDigest();
        digest.part(request.method());
        digest.part(request.path());
        query(request, digest);
        List<String> contentTypes = request.headers().all("Content-Type");
        ContentType contentType = contentTypes.size() == 1 ? ContentType.parse(contentTypes.getFirst()) : null;
        digest.number(contentType == null ? 0 : 1);
        digest.parts(contentType == null ? contentTypes : contentType.normal());
        body(request.body(), contentType != null && contentType.isJsonInUtf8(), digest);
        return Fingerprint.of(Fingerprint.Algorithm.REQUEST, digest.sha256());
    }

    private static void query(HttpRequest request, PartsDigest digest) {
        String query = request.query();
        String[] parameters = query == null ? new String[0] : query.split("&", -1);
        Arrays.sort(parameters, Comparator.comparing(RequestFingerprint::nameOf));
        digest.parts(List.of(parameters));
    }

    private static String nameOf(String parameter) {
        int equals = parameter.indexOf('=');
        return equals < 0 ? parameter : parameter.substring(0, equals);
    }

    private void body(byte[] body, boolean isJson, PartsDigest digest) {
        byte[] canonical = isJson ? json.of(body) : null;
        digest.number(canonical == null ? BYTES : JSON);
        digest.part(canonical == null ? body : canonical);
    }
}
