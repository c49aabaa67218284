package dev.semel.store.dynamodb;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState.Kind;
import dev.semel.core.store.Listing;
import dev.semel.core.store.StoreException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;

/**
 * Keys page by page, in the order of a Scan, which reads items that are not asked for too. So one page looks through a
 * bounded part of the table: it may be short or empty, and not be the last. A cursor is the digest of the last key that was looked at.
 */
final class DynamoDbListing {
    /** Of a megabyte each. */
    private static final int MAX_SCANS = 16;

    private final TableCalls calls;
    private final Clock clock;

    DynamoDbListing(TableCalls calls, Clock clock) {
        this.calls = calls;
        this.clock = clock;
    }

    Listing.Page page(Listing listing) {
        List<Listing.Line> lines = new ArrayList<>();
        String after = listing.after();
        for (int scans = 0; scans < MAX_SCANS; scans++) {
            ScanResponse scanned = scan(listing, after);
            Instant now = clock.instant();
            for (Map<String, AttributeValue> item : scanned.items()) {
                Listing.Line line = line(item, listing.kinds(), now);
                if (line != null && lines.size() == listing.limit()) return new Listing.Page(lines, after);
                if (line != null) lines.add(line);
                after = ItemReader.digest(item);
            }
            if (!scanned.hasLastEvaluatedKey() || scanned.lastEvaluatedKey().isEmpty())
                return new Listing.Page(lines, null);
            after = ItemReader.digest(scanned.lastEvaluatedKey());
        }
        return new Listing.Page(lines, after);
    }

    private ScanResponse scan(Listing listing, @Nullable String after) {
        Map<String, AttributeValue> values = new HashMap<>();
        ScanRequest.Builder request = ScanRequest.builder()
                .tableName(calls.table())
                .consistentRead(true)
                .projectionExpression(Attribute.projectionWithoutOutcome())
                .expressionAttributeNames(Attribute.namesWithoutOutcome())
                .filterExpression(filter(listing, values))
                .expressionAttributeValues(values);
        if (after != null) request.exclusiveStartKey(Map.of(Attribute.ID, digest(after)));
        return calls.read(client -> client.scan(request.build()));
    }

    /** What the server can leave out without knowing the time. */
    private static String filter(Listing listing, Map<String, AttributeValue> values) {
        Set<String> states = new TreeSet<>();
        for (Kind kind : listing.kinds()) states.add(StateName.of(kind));
        if (listing.kinds().contains(Kind.SPENT)) states.add(StateName.DONE);
        List<String> names = new ArrayList<>();
        for (String state : states) {
            names.add(":s" + names.size());
            values.put(names.getLast(), AttributeValue.fromS(state));
        }
        if (names.isEmpty()) {
            names.add(":none");
            values.put(":none", AttributeValue.fromS("none"));
        }
        String ofStates = "#state in (" + String.join(", ", names) + ")";
        if (listing.tenant() == null) return ofStates;
        if (listing.tenant().isEmpty()) return ofStates + " and attribute_not_exists(#tenant)";
        values.put(":tenant", AttributeValue.fromS(listing.tenant()));
        return ofStates + " and #tenant = :tenant";
    }

    private static AttributeValue digest(String after) {
        try {
            byte[] digest = HexFormat.of().parseHex(after);
            if (digest.length == KeyId.DIGEST_BYTES) return AttributeValue.fromB(SdkBytes.fromByteArray(digest));
        } catch (IllegalArgumentException e) {
            // Said below, in the words of whoever asked.
        }
        throw new IllegalArgumentException("No page of this store ended at " + after + ".");
    }

    /** Null for what counts as something else by now, and for what cannot be read: the sweep names it. */
    private static Listing.@Nullable Line line(Map<String, AttributeValue> item, Set<Kind> kinds, Instant now) {
        try {
            KeyRecord record = ItemReader.head(item).asOf(now);
            if (record == null || !kinds.contains(record.state().kind())) return null;
            return new Listing.Line(
                    record.id(), record.state().kind(), record.token(), record.attempt(), record.since());
        } catch (StoreException e) {
            return null;
        }
    }
}
