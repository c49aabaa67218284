package dev.semel.store.rocksdb;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.Listing;
import dev.semel.core.store.StoreException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One page of keys in the order of their digests. A place in it is the digest of a key, in hexadecimal. */
final class KeyListing {
    private KeyListing() {}

    static Listing.Page page(RecordScan scan, Listing listing, Instant now) {
        List<Listing.Line> lines = new ArrayList<>();
        byte[] last = {};
        while (scan.next()) {
            KeyRecord record = match(scan.head(), listing, now);
            if (record == null) continue;
            if (lines.size() == listing.limit())
                return new Listing.Page(lines, HexFormat.of().formatHex(last));
            last = scan.address();
            lines.add(new Listing.Line(
                    record.id(), record.state().kind(), record.token(), record.attempt(), record.since()));
        }
        return new Listing.Page(lines, null);
    }

    private static @Nullable KeyRecord match(byte[] head, Listing listing, Instant now) {
        if (!RecordHead.mayCountAs(head, listing.kinds())) return null;
        KeyRecord record = readable(head, now);
        if (record == null || !listing.kinds().contains(record.state().kind())) return null;
        return listing.tenant() == null || listing.tenant().equals(record.id().tenant()) ? record : null;
    }

    /** Null for what counts as absent, and for what cannot be read: the sweep names it. */
    private static @Nullable KeyRecord readable(byte[] head, Instant now) {
        try {
            return RecordCodec.decode(head, null, null).asOf(now);
        } catch (StoreException e) {
            return null;
        }
    }

    static byte @Nullable [] cursor(@Nullable String after) {
        if (after == null) return null;
        try {
            byte[] digest = HexFormat.of().parseHex(after);
            if (digest.length == KeyId.DIGEST_BYTES) return digest;
        } catch (IllegalArgumentException e) {
            // Said below, in the words of whoever asked.
        }
        throw new IllegalArgumentException("No page of this store ended at " + after + ".");
    }
}
