package dev.semel.http;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What the status of an upstream's answer says about the operation. An upstream that knows better says so for one
 * answer with the header {@code Semel-Outcome: store}, {@code release} or {@code doubt}. Immutable, for use by any
 * thread.
 */
public final class StatusRules {
    /** The header by which an upstream decides for one answer. It goes no further than Semel. */
    public static final String OVERRIDE_HEADER = "Semel-Outcome";

    /**
     * 2xx, 3xx, 4xx and 5xx are stored, 500 and any unknown status too, because the operation may have run; except:
     * 401, 403, 407, 408, 425, 429 and 503 release the key, for they say that nothing ran; 502 and 504 come from
     * something in between that does not know, and leave the key in doubt; so does a 503 that a service mesh made.
     */
    public static final StatusRules DEFAULT = new Builder(status -> StatusClass.STORE, Map.of())
            .release("401", "403", "407", "408", "425", "429", "503")
            .doubt("502", "504")
            .distrust(503, Distrust.MADE_BY_MESH)
            .build("default");

    /**
     * As {@link #DEFAULT}, but 429 and 503 release the key only with {@code Retry-After}: for proxies on the way that
     * answer so by themselves, and are not known to have sent nothing.
     */
    public static final StatusRules STRICT = custom().distrust(429, Distrust.NO_RETRY_AFTER)
            .distrust(503, Distrust.NO_RETRY_AFTER)
            .build("strict");

    /**
     * As Stripe's API v1 does: all that was answered after execution began is stored, 500 included. What is answered
     * before it releases the key: also 400 (parameters that fail validation) and 409 (a conflict with a request under
     * way), otherwise as in {@link #DEFAULT}.
     */
    public static final StatusRules STRIPE_V1 = custom().release("400", "409").build("stripe-v1");

    /**
     * Only success is stored. Everything else frees the key, 500 included, so that an operation that failed half-way
     * runs again: for upstreams whose failures change nothing. 502 and 504 leave the key in doubt all the same.
     */
    public static final StatusRules SUCCESS_ONLY = custom().store("2xx")
            .release("3xx", "4xx", "5xx")
            .doubt("502", "504")
            .distrust(503, Distrust.MADE_BY_MESH)
            .build("2xx-only");

    /**
     * As the IETF draft (draft-ietf-httpapi-idempotency-key-header-07) says: the result of a completed operation is
     * stored, success or error. 409 releases the key, because there it means that a request of this key is still under
     * way; otherwise as {@link #DEFAULT}.
     */
    public static final StatusRules IETF = custom().release("409").build("ietf");

    private static final int LOWEST = 200;
    private static final int HIGHEST = 999;

    private final String name;
    private final StatusClass[] verdicts;
    private final SortedMap<Integer, Distrust> distrusted;

    private StatusRules(String name, StatusClass[] verdicts, SortedMap<Integer, Distrust> distrusted) {
        this.name = name;
        this.verdicts = verdicts;
        this.distrusted = distrusted;
    }

    /**
     * The preset of this name.
     *
     * @param name {@code default}, {@code strict}, {@code stripe-v1}, {@code 2xx-only} or {@code ietf}
     * @throws IllegalArgumentException when there is none
     */
    public static StatusRules named(String name) {
        for (StatusRules preset : List.of(DEFAULT, STRICT, STRIPE_V1, SUCCESS_ONLY, IETF))
            if (preset.name.equals(name)) return preset;
        throw new IllegalArgumentException("There are no status rules named '" + name
                + "'; there are default, strict, stripe-v1, 2xx-only and ietf.");
    }

    /**
     * Rules of one's own; what they do not name is as in {@link #DEFAULT}. A status that they do name, by itself or by
     * its class, is believed whoever made the answer: that is the word of whoever wrote the rules.
     */
    public static Builder custom() {
        return new Builder(DEFAULT::verdict, DEFAULT.distrusted);
    }

    /** The name of the preset, or {@code custom}. */
    public String name() {
        return name;
    }

    /** What an answer of the upstream says, by its status and, if it has one, its {@code Semel-Outcome}. */
    public StatusClass verdict(HttpResponse upstream) {
        return verdict(upstream.status(), upstream.headers(), upstream.body());
    }

    /** The same for an answer whose body is not at hand. */
    public StatusClass verdict(int status, Headers upstream) {
        return verdict(status, upstream, new byte[0]);
    }

    private StatusClass verdict(int status, Headers upstream, byte[] body) {
        List<String> overrides = upstream.all(OVERRIDE_HEADER);
        if (overrides.size() != 1) return believed(status, upstream, body);
        return switch (overrides.getFirst().strip().toLowerCase(Locale.ROOT)) {
            case "store" -> StatusClass.STORE;
            case "release" -> StatusClass.RELEASE;
            case "doubt" -> StatusClass.DOUBT;
            default -> believed(status, upstream, body);
        };
    }

    private StatusClass believed(int status, Headers upstream, byte[] body) {
        Distrust distrust = distrusted.get(status);
        return distrust != null && distrust.appliesTo(upstream, body) ? StatusClass.DOUBT : verdict(status);
    }

    /**
     * What a status says by itself.
     *
     * @throws IllegalArgumentException for anything but a final status
     */
    public StatusClass verdict(int status) {
        if (status < LOWEST || status > HIGHEST)
            throw new IllegalArgumentException("Only a final status has a verdict, not " + status + ".");
        return verdicts[status - LOWEST];
    }

    /**
     * Which statuses have this verdict, in the words of the configuration: classes ({@code 2xx}) and single statuses
     * that are exceptions from their class.
     */
    public List<String> listed(StatusClass verdict) {
        List<String> listed = new ArrayList<>();
        for (int first = LOWEST; first < 600; first += 100) {
            StatusClass usual = usual(first);
            if (usual == verdict) listed.add(first / 100 + "xx");
            for (int status = first; status < first + 100; status++)
                if (verdict(status) == verdict && verdict != usual) listed.add(Integer.toString(status));
        }
        return listed;
    }

    /** Which statuses leave doubt in some answers, whatever {@link #listed} says, and in which. */
    public SequencedMap<Integer, Distrust> distrusted() {
        return Collections.unmodifiableSequencedMap(distrusted);
    }

    /** The verdict of most statuses of a class. */
    private StatusClass usual(int first) {
        return Collections.max(
                List.of(StatusClass.values()), Comparator.comparingLong(verdict -> count(verdict, first)));
    }

    private long count(StatusClass verdict, int first) {
        return IntStream.range(first, first + 100)
                .filter(status -> verdict(status) == verdict)
                .count();
    }

    /** Collects rules. A single status goes before its class ({@code 402} before {@code 4xx}). */
    public static final class Builder {
        private final IntFunction<StatusClass> otherwise;
        private final Map<Integer, Distrust> otherwiseDistrusted;
        private final Map<String, StatusClass> named = new HashMap<>();
        private final Map<Integer, Distrust> distrusted = new HashMap<>();

        private Builder(IntFunction<StatusClass> otherwise, Map<Integer, Distrust> otherwiseDistrusted) {
            this.otherwise = otherwise;
            this.otherwiseDistrusted = otherwiseDistrusted;
        }

        public Builder store(String... statuses) {
            return add(StatusClass.STORE, statuses);
        }

        public Builder release(String... statuses) {
            return add(StatusClass.RELEASE, statuses);
        }

        public Builder doubt(String... statuses) {
            return add(StatusClass.DOUBT, statuses);
        }

        private Builder distrust(int status, Distrust distrust) {
            distrusted.put(status, distrust);
            return this;
        }

        private Builder add(StatusClass verdict, String... statuses) {
            for (String status : statuses) {
                if (!status.matches("[2-5](xx|[0-9][0-9])"))
                    throw new IllegalArgumentException("A status is written like 402, or 4xx for all of a class, from"
                            + " 200 to 599, not '" + status + "'.");
                StatusClass other = named.put(status, verdict);
                if (other != null && other != verdict)
                    throw new IllegalArgumentException("The status " + status + " is named under both " + lower(other)
                            + " and " + lower(verdict) + ".");
            }
            return this;
        }

        private static String lower(StatusClass verdict) {
            return verdict.name().toLowerCase(Locale.ROOT);
        }

        public StatusRules build() {
            return build("custom");
        }

        private StatusRules build(String name) {
            StatusClass[] verdicts = new StatusClass[HIGHEST - LOWEST + 1];
            for (int status = LOWEST; status <= HIGHEST; status++) verdicts[status - LOWEST] = verdict(status);
            return new StatusRules(name, verdicts, allDistrusted());
        }

        private StatusClass verdict(int status) {
            StatusClass own = own(status);
            return own != null ? own : otherwise.apply(status);
        }

        private @Nullable StatusClass own(int status) {
            StatusClass exact = named.get(Integer.toString(status));
            return exact != null ? exact : named.get(status / 100 + "xx");
        }

        private SortedMap<Integer, Distrust> allDistrusted() {
            SortedMap<Integer, Distrust> all = new TreeMap<>(otherwiseDistrusted);
            all.keySet().removeIf(status -> own(status) != null);
            all.putAll(distrusted);
            return all;
        }
    }
}
