package dev.semel.http;

/** A response whose body is at hand whole. The body is shared, not copied: nobody changes it. */
public record HttpResponse(int status, Headers headers, byte[] body) {}
