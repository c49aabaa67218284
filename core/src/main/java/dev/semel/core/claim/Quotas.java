package dev.semel.core.claim;

/**
 * How much one tenant may take up. Every tenant has the same quotas, and none uses up those of another; keys without a
 * tenant have none.
 *
 * <p>What is over a quota is refused before anything runs or is written, and only what is new is refused: a duplicate is
 * answered as ever, however full its tenant.
 *
 * <p><b>How exact.</b> The number of attempts and of waiters is exact, in each process for itself. The number of kept
 * keys is of the store, so of all processes together, and is counted now and then rather than with every claim:
 *
 * <ul>
 *   <li>with 16 keys left or fewer it is counted for every new key, so that of claims that come one after the other,
 *       wherever they come to, none is granted over the quota;
 *   <li>claims that come at the same time may be let in by the same count: together they may go over the quota, by no
 *       more keys than there are claims under way;
 *   <li>far from the quota, by a tenth of it or more, a count is gone by for a second, or a hundred times as long as it
 *       took. What other processes let in meanwhile is not seen, and may go over the quota.
 * </ul>
 *
 * Keys of every state count, until they are swept.
 *
 * @param keys how many keys the store keeps of a tenant
 * @param inFlight how many attempts of a tenant run in this process, each until what became of it is recorded; those
 *     that run elsewhere are not counted
 * @param waiters how many duplicates of a tenant wait in this process
 */
public record Quotas(long keys, int inFlight, int waiters) {
    /** As much as there is. */
    public static final Quotas NONE = new Quotas(Long.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE);

    public Quotas {
        if (keys < 1 || inFlight < 1) throw new IllegalArgumentException("A tenant needs room for one key at least.");
        if (waiters < 0) throw new IllegalArgumentException("A quota of waiters cannot be negative.");
    }

    public Quotas withKeys(long keys) {
        return new Quotas(keys, inFlight, waiters);
    }

    public Quotas withInFlight(int inFlight) {
        return new Quotas(keys, inFlight, waiters);
    }

    public Quotas withWaiters(int waiters) {
        return new Quotas(keys, inFlight, waiters);
    }

    /** Whether keys have to be counted at all; if so, the store must be able to. */
    public boolean limitsKeys() {
        return keys < Long.MAX_VALUE;
    }
}
