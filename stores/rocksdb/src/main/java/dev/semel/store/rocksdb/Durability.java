package dev.semel.store.rocksdb;

/** What a write that was answered survives. */
public enum Durability {
    /** The loss of power: a write is answered after the disk has confirmed it. */
    SYNC,

    /** The death of the process, not that of the machine: a write is answered once the operating system has it. */
    OS
}
