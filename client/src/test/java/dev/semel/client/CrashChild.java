package dev.semel.client;

import dev.semel.client.ledger.Entry;
import dev.semel.client.ledger.FileLedger;
import dev.semel.client.ledger.Ledger;
import dev.semel.client.ledger.Response;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A process that sends one request, says when it is at its crash point, and stays there until it is killed. */
final class CrashChild {
    private CrashChild() {}

    /** K2 is not here: whoever is asked sees it, and kills. */
    enum Point {
        K0_BEFORE_THE_LEDGER_IS_WRITTEN,
        K1_WRITTEN_AND_NOT_YET_SENT,
        K2_SENT_AND_NOT_YET_ANSWERED,
        K3_ANSWERED_AND_NOT_YET_SETTLED,
        K4_SETTLED
    }

    static HttpRequest request(URI uri) {
        return HttpRequest.newBuilder(uri).POST(BodyPublishers.ofString("1999")).build();
    }

    public static void main(String[] arguments) throws Exception {
        Point point = Point.valueOf(arguments[0]);
        try (FileLedger ledger = FileLedger.open(Path.of(arguments[1]));
                SemelClient client = SemelClient.on(new Stopping(ledger, point)).build()) {
            client.send(Intent.of("pay"), request(URI.create(arguments[2])));
        }
    }

    /** A ledger at which the process stays for ever. */
    private record Stopping(Ledger ledger, Point point) implements Ledger {

        private void at(Point here) {
            if (here != point) return;
            System.out.println(here);
            while (true) LockSupport.park(this);
        }

        @Override
        public Entry remember(Entry.Pending entry) {
            at(Point.K0_BEFORE_THE_LEDGER_IS_WRITTEN);
            Entry there = ledger.remember(entry);
            at(Point.K1_WRITTEN_AND_NOT_YET_SENT);
            return there;
        }

        @Override
        public boolean settle(Entry.Pending entry, Response response, Instant now) {
            at(Point.K3_ANSWERED_AND_NOT_YET_SETTLED);
            boolean settled = ledger.settle(entry, response, now);
            at(Point.K4_SETTLED);
            return settled;
        }

        @Override
        public Entry find(String intent) {
            return ledger.find(intent);
        }

        @Override
        public Entry.Pending attempt(Entry.Pending entry, Instant now) {
            return ledger.attempt(entry, now);
        }

        @Override
        public boolean remove(Entry seen) {
            return ledger.remove(seen);
        }

        @Override
        public List<String> pending() {
            return ledger.pending();
        }

        @Override
        public void forgetSettledBefore(Instant then) {
            ledger.forgetSettledBefore(then);
        }

        @Override
        public void close() {
            ledger.close();
        }
    }
}
