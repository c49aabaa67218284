package dev.semel.testkit.http;

/** A request that is made of what was said before. */
public interface Call {
    RawRequest in(Scene scene);
}
