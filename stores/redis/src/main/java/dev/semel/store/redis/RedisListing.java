package dev.semel.store.redis;

import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.Listing;
import dev.semel.core.store.StoreException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Pages of keys, in the order in which Redis walks over them. The order stays the same while nothing changes. A page says
 * where it ended by the master, the portion of its walk, and the last digest in that portion.
 */
final class RedisListing {
    private static final int PORTION = 500;

    /** A page comes to its end after so many records, however few of them were asked for. */
    private static final int MOST_LOOKED_AT = 100_000;

    private static final Pattern PLACE = Pattern.compile("(.+) (\\d{1,20}) ([0-9a-f]{32}|-)");

    private final Topology topology;
    private final RecordScan scan;

    RedisListing(Topology topology, RecordScan scan) {
        this.topology = topology;
        this.scan = scan;
    }

    /** Where a page begins: behind this digest of this portion. */
    private record Place(String address, String cursor, String digest) {
        static Place of(String after) {
            Matcher match = PLACE.matcher(after);
            if (match.matches()) return new Place(match.group(1), match.group(2), match.group(3));
            throw new IllegalArgumentException("No page of this store ended at " + after + ".");
        }

        String text() {
            return address + " " + cursor + " " + digest;
        }
    }

    Listing.Page page(Listing asked) {
        Place from = asked.after() == null ? null : Place.of(asked.after());
        List<RedisNode> masters = new ArrayList<>(topology.masters());
        masters.sort(Comparator.comparing(RedisNode::address));
        if (from != null) masters.removeIf(it -> it.address().compareTo(from.address()) < 0);
        List<Listing.Line> lines = new ArrayList<>();
        int looked = 0;
        for (RedisNode master : masters) {
            Place place = from != null && from.address().equals(master.address())
                    ? from
                    : new Place(master.address(), RecordScan.START, "-");
            RecordScan.Portion portion;
            do {
                portion = scan.from(master, place.cursor(), PORTION);
                String last = add(portion, place, asked, lines, RedisServerTime.of(master));
                if (last != null)
                    return new Listing.Page(lines, new Place(place.address(), place.cursor(), last).text());
                place = new Place(place.address(), portion.next(), "-");
                looked += portion.found().size();
                if (looked >= MOST_LOOKED_AT && !portion.isLast()) return new Listing.Page(lines, place.text());
            } while (!portion.isLast());
        }
        return new Listing.Page(lines, null);
    }

    /** Gives the digest of the last line when there is one more than the page takes; null when the portion is used up. */
    private static @Nullable String add(
            RecordScan.Portion portion, Place from, Listing asked, List<Listing.Line> lines, Instant now) {
        String last = from.digest();
        for (RecordScan.Found found : portion.found()) {
            if (found.digest().compareTo(from.digest()) <= 0) continue;
            KeyRecord record = match(found, asked, now);
            if (record == null) continue;
            if (lines.size() == asked.limit()) return last;
            last = found.digest();
            lines.add(new Listing.Line(
                    record.id(), record.state().kind(), record.token(), record.attempt(), record.since()));
        }
        return null;
    }

    /** Null for what was not asked for, for what counts as absent, and for what cannot be read: the sweep names it. */
    private static @Nullable KeyRecord match(RecordScan.Found found, Listing asked, Instant now) {
        try {
            byte[] bytes = found.bytes();
            KeyRecord record = bytes == null
                    ? null
                    : StoredRecord.of(bytes).withoutOutcome().asOf(now);
            if (record == null || !asked.kinds().contains(record.state().kind())) return null;
            return asked.tenant() == null || asked.tenant().equals(record.id().tenant()) ? record : null;
        } catch (StoreException e) {
            return null;
        }
    }
}
