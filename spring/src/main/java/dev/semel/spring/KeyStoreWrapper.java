package dev.semel.spring;

import dev.semel.core.store.KeyStore;
import java.util.function.UnaryOperator;

/** Beans of this type stand between the engine and its store, in their order: to measure calls, or to encrypt outcomes. */
@FunctionalInterface
public interface KeyStoreWrapper extends UnaryOperator<KeyStore> {}
