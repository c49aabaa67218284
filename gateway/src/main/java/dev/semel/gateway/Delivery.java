package dev.semel.gateway;

import dev.semel.http.HttpResponse;
import dev.semel.http.Problem;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;

/**
 * Hands whole answers to clients. One that waits in memory until its client fetches it counts, and does not wait for
 * ever: it can be had again. Called on the event loop of the request, except where it says otherwise.
 */
final class Delivery {
    private static final int FITS_IN_A_SOCKET = 64 * 1024;

    private final Vertx vertx;
    private final BodyBudget bodies;
    private final Duration patience;

    /** @param patience how long a client may take to fetch an answer */
    Delivery(Vertx vertx, BodyBudget bodies, Duration patience) {
        this.vertx = vertx;
        this.bodies = bodies;
        this.patience = patience;
    }

    BodyBudget bodies() {
        return bodies;
    }

    /** A share for a new request. */
    BodyShare share() {
        return new BodyShare(bodies);
    }

    /** An answer to a request without a body, or one that there is not to hold for long. */
    void deliver(HttpServerRequest request, HttpResponse answer) {
        BodyShare share = share();
        deliver(request, fitting(answer, share), share);
    }

    /**
     * The answer, if there is room for it until it has left. To be asked by whoever has made it, at once and on any thread:
     * of many answers that wait for their event loop, none may be there uncounted.
     */
    static HttpResponse fitting(HttpResponse answer, BodyShare share) {
        return share.keepOnly(answer.body().length) ? answer : Problem.overloaded();
    }

    /** The share is released when the answer has left, or can no longer. */
    void deliver(HttpServerRequest request, HttpResponse fitting, BodyShare share) {
        Future<Void> left = Responses.end(request, fitting);
        left.onComplete(gone -> share.release());
        if (fitting.body().length > FITS_IN_A_SOCKET && !left.isComplete()) limitTime(request, left);
    }

    private void limitTime(HttpServerRequest request, Future<Void> left) {
        long timer = vertx.setTimer(patience.toMillis(), late -> Responses.giveUp(request));
        left.onComplete(gone -> vertx.cancelTimer(timer));
    }
}
