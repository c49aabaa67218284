package dev.semel.http.service;

import dev.semel.http.HttpResponse;

/** A request that is not what its resource takes; carries the answer that says so. */
final class Refusal extends Exception {
    private final transient HttpResponse answer;

    Refusal(HttpResponse answer) {
        super("The request was refused with status " + answer.status(), null, false, false);
        this.answer = answer;
    }

    HttpResponse answer() {
        return answer;
    }
}
