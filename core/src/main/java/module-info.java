/**
 * The core of Semel. What is not exported is the inside of the engine: nobody outside may rely on it.
 */
module dev.semel.core {
    requires static org.jspecify;

    exports dev.semel.core;
    exports dev.semel.core.claim;
    exports dev.semel.core.key;
    exports dev.semel.core.memory;
    exports dev.semel.core.store;
    exports dev.semel.core.time;
}
