package dev.semel.store.dynamodb;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The attributes of an item. Their names are short, for they are stored with every item and paid for. */
final class Attribute {
    /** The digest of the key: the partition key of the table. */
    static final String ID = "id";

    static final String FORMAT = "v";
    static final String STATE = "state";
    static final String TENANT = "tenant";
    static final String OPERATION = "op";
    static final String KEY = "key";
    static final String FINGERPRINT = "fp";
    static final String TOKEN = "token";
    static final String ATTEMPT = "attempt";
    static final String REVISION = "rev";
    static final String SINCE = "since";
    static final String HOLDER = "holder";
    static final String LEASE = "lease";
    static final String AGAIN = "again";
    static final String REMOTE = "remote";
    static final String MEMO = "memo";
    static final String HISTORY = "history";
    static final String REASON = "reason";
    static final String PROBES = "probes";
    static final String PROBE = "probe";
    static final String REPLAY = "replay";
    static final String FORGET = "forget";
    static final String OUTCOME = "outcome";

    /** When the server may delete the item. Only what can be forgotten has one. */
    static final String TTL = "ttl";

    /** Some of the names are words of DynamoDB's own; in an expression each therefore stands as {@code #name}. */
    private static final Map<String, String> ALL_BUT_OUTCOME = Stream.of(
                    ID,
                    FORMAT,
                    STATE,
                    TENANT,
                    OPERATION,
                    KEY,
                    FINGERPRINT,
                    TOKEN,
                    ATTEMPT,
                    REVISION,
                    SINCE,
                    HOLDER,
                    LEASE,
                    AGAIN,
                    REMOTE,
                    MEMO,
                    HISTORY,
                    REASON,
                    PROBES,
                    PROBE,
                    REPLAY,
                    FORGET)
            .collect(Collectors.toUnmodifiableMap(name -> "#" + name, Function.identity()));

    private Attribute() {}

    static Map<String, String> namesWithoutOutcome() {
        return ALL_BUT_OUTCOME;
    }

    static String projectionWithoutOutcome() {
        return String.join(", ", ALL_BUT_OUTCOME.keySet());
    }
}
