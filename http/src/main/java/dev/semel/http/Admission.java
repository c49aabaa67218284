package dev.semel.http;

/** What the head of a request says about how to take it in. */
public sealed interface Admission {

    /** Nothing to guard: pass it on as it comes. */
    record Pass() implements Admission {}

    /** Take it in whole, then ask the guard. */
    record Keyed(String key) implements Admission {}

    /** Answer this, and send nothing on. */
    record Refused(HttpResponse answer) implements Admission {}
}
