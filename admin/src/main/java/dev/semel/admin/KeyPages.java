package dev.semel.admin;

import dev.semel.core.store.KeyIndex;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.Listing;

/** Keys of a store page by page, where it can list them. */
final class KeyPages {
    private KeyPages() {}

    static boolean canBeListed(KeyStore store) {
        return store.index() != null && store.traits().lists();
    }

    /** @throws IllegalArgumentException when the store cannot list keys */
    static Listing.Page page(KeyStore store, Listing listing) {
        KeyIndex index = store.index();
        if (index == null || !canBeListed(store))
            throw new IllegalArgumentException(
                    "this store cannot list keys; look one up by its name, with its operation and its tenant");
        return index.list(listing);
    }
}
