package dev.semel.examples.spring;

/** What a customer shall pay for an order. */
public record ChargeRequest(String order, long cents) {}
