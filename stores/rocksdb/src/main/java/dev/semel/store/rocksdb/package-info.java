/** The embedded store: RocksDB in a folder that one process owns. */
@NullMarked
package dev.semel.store.rocksdb;

import org.jspecify.annotations.NullMarked;
