package dev.semel.examples.demo;

import dev.semel.examples.payments.Charge;
import dev.semel.examples.payments.Ledger;
import java.util.HashSet;
import java.util.Set;

/** Goes through a ledger, entry by entry, and counts what was charged for the payments of one side. */
final class Audit {
    private final Ledger ledger;
    private final Set<String> wanted;
    private final Set<String> charged = new HashSet<>();
    private final Set<String> chargedTwice = new HashSet<>();
    private int read;
    private long charges;
    private long cents;

    /** @param wanted the keys of the payments; a charge under another key is none of theirs */
    Audit(Ledger ledger, Set<String> wanted) {
        this.ledger = ledger;
        this.wanted = wanted;
    }

    /**
     * @param charges entries in the ledger
     * @param doubles entries beyond the first of their key
     * @param payers payments that were charged more than once
     * @param cents taken by entries beyond the first of their key
     */
    record Finding(long charges, long doubles, long payers, long cents) {}

    synchronized Finding now() {
        for (Charge charge : ledger.from(read)) {
            read++;
            String key = charge.idempotencyKey();
            if (key != null && wanted.contains(key)) count(key, charge);
        }
        return new Finding(charges, charges - charged.size(), chargedTwice.size(), cents);
    }

    private void count(String key, Charge charge) {
        charges++;
        if (charged.add(key)) return;
        chargedTwice.add(key);
        cents += charge.amount();
    }
}
