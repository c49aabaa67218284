package dev.semel.http;

/** A response as it was recorded. When its body was too large to keep, the response here has an empty one. */
public record StoredResponse(HttpResponse response, boolean bodyKept) {}
