package dev.semel.examples.shop;

/** What a customer wants. */
public record OrderRequest(String order, long cents) {}
