package dev.semel.client;

import dev.semel.client.Answer.Refusal;
import dev.semel.client.Verdict.Again;
import dev.semel.client.Verdict.Refuses;
import dev.semel.client.Verdict.Settles;
import dev.semel.client.ledger.Response;

/**
 * What an answer means: the problems of Semel, the answers of Stripe, those of the IETF draft, and of servers that know
 * HTTP only. Pure. Where it is not certain, an answer does not settle: to ask again with the same key is harmless.
 */
final class AnswerRules {
    private static final Again NOT_THIS_TIME = new Again(false);
    private static final Again MAY_HAVE_RUN = new Again(true);

    private AnswerRules() {}

    /** @param mayHaveRun whether an attempt before this one may have run the operation */
    static Verdict of(Response response, boolean mayHaveRun) {
        if (isReplay(response)) return new Settles(true);
        Problem problem = Problem.of(response);
        String semel = problem.semel();
        if (semel != null) return semel(semel, problem);
        if (response.status() / 100 == 2) return new Settles(false);
        if (problem.get("error.code").equals("idempotency_key_in_use")) return MAY_HAVE_RUN;
        if (problem.get("error.code").equals("lock_timeout")) return NOT_THIS_TIME;
        if (problem.get("error.type").equals("idempotency_error"))
            return response.status() == 409 ? MAY_HAVE_RUN : new Refuses(Refusal.KEY_REUSED);
        return switch (response.header("Stripe-Should-Retry").orElse("")) {
            case "true" -> new Again(response.status() == 409 || response.status() >= 500);
            case "false" -> isUncertain(response.status()) ? new Settles(false) : http(response, problem, mayHaveRun);
            default -> http(response, problem, mayHaveRun);
        };
    }

    static boolean isReplay(Response response) {
        return response.header("Idempotent-Replayed").orElse("").equalsIgnoreCase("true");
    }

    private static Verdict semel(String name, Problem problem) {
        return switch (name) {
            case "in-progress", "outcome-unknown" -> MAY_HAVE_RUN;
            case "too-many-waiters" -> MAY_HAVE_RUN;
            case "upstream-unreachable",
                    "store-unavailable",
                    "quota-exceeded",
                    "stopping",
                    "overloaded",
                    "tenant-unavailable",
                    "too-slow" -> NOT_THIS_TIME;
            case "key-spent" -> new Refuses(Refusal.KEY_SPENT);
            case "key-too-old" -> new Refuses(Refusal.KEY_TOO_OLD);
            case "key-reused" -> new Refuses(Refusal.KEY_REUSED);
            case "stale-write" -> new Refuses(Refusal.STALE);
            case "tenant-unknown", "service-token-wrong" -> new Refuses(Refusal.NOT_AUTHORIZED);
            case "response-not-kept" -> new Settles(true);
            default -> byAdvice(problem.get("retry"));
        };
    }

    /** A problem of a later version says what to do in a word that is known. */
    private static Verdict byAdvice(String retry) {
        return switch (retry) {
            case "new-key" -> new Refuses(Refusal.KEY_REUSED);
            case "corrected" -> new Refuses(Refusal.BAD_REQUEST);
            default -> MAY_HAVE_RUN;
        };
    }

    private static Verdict http(Response response, Problem problem, boolean mayHaveRun) {
        int status = response.status();
        boolean unread = Problem.isUnread(response);
        return switch (status) {
            // A log-in or a page for maintenance, where an earlier try may have been answered otherwise.
            case 300, 301, 302, 304, 305 -> mayHaveRun ? NOT_THIS_TIME : new Settles(false);
            case 307, 308 -> new Refuses(Refusal.REDIRECTED);
            case 401, 403, 407 -> new Refuses(Refusal.NOT_AUTHORIZED);
            case 408, 425, 429 -> NOT_THIS_TIME;
            case 400 -> problem.speaksOfIdempotency() ? new Refuses(Refusal.BAD_REQUEST) : new Settles(false);
            case 410 -> unread ? MAY_HAVE_RUN : new Settles(false);
            case 422 -> {
                if (unread) yield MAY_HAVE_RUN;
                yield problem.speaksOfIdempotency() ? new Refuses(Refusal.KEY_REUSED) : new Settles(false);
            }
            case 409 ->
                mayHaveRun || unread || problem.speaksOfIdempotency() || hasRetryAfter(response)
                        ? MAY_HAVE_RUN
                        : new Settles(false);
            // Also a proxy that has lost its routes for a moment answers so.
            case 404, 405, 421, 426, 431 -> mayHaveRun ? NOT_THIS_TIME : new Settles(false);
            // Some proxies answer so also when the connection broke after they had sent the request on.
            case 503 -> hasRetryAfter(response) ? NOT_THIS_TIME : MAY_HAVE_RUN;
            default -> status >= 500 ? MAY_HAVE_RUN : new Settles(false);
        };
    }

    private static boolean hasRetryAfter(Response response) {
        return response.header("Retry-After").isPresent();
    }

    private static boolean isUncertain(int status) {
        return status == 409 || status >= 500;
    }
}
