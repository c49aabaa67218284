package dev.semel.core.store;

/** An index in front of another: every call goes on as it is, but for what is overridden. */
public class ForwardingKeyIndex implements KeyIndex {
    private final KeyIndex index;

    protected ForwardingKeyIndex(KeyIndex index) {
        this.index = index;
    }

    @Override
    public Listing.Page list(Listing listing) {
        return index.list(listing);
    }

    @Override
    public long count(String tenant, long upTo) {
        return index.count(tenant, upTo);
    }

    @Override
    public void prepareToCount() {
        index.prepareToCount();
    }

    @Override
    public Swept sweep(int limit) {
        return index.sweep(limit);
    }
}
