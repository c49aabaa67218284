package dev.semel.store.rocksdb;

/**
 * How well concurrent writes share the disk since the store was opened.
 *
 * @param commits how often something was put on disk, each time with one sync
 * @param writes how many calls were answered by these commits
 */
public record CommitCount(long commits, long writes) {}
