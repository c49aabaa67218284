package dev.semel.examples.demo;

/**
 * What was broken so far, and what is right now.
 *
 * @param kills how often the gateway was killed
 * @param crashes how often the payment services crashed
 * @param blackouts how often all answers were lost for a while
 * @param answersPass whether some answers come through
 */
public record IncidentCount(
        int kills,
        int crashes,
        int blackouts,
        boolean gatewayUp,
        boolean servicesUp,
        boolean answersPass,
        DemoGateway.Doubts doubts) {}
