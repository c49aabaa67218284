package dev.semel.client;

import dev.semel.client.ledger.Response;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What came of sending a request. */
public sealed interface Answer {
    /** The idempotency key that was sent, or would have been. */
    String key();

    /**
     * The server has spoken about the operation, and this is its last word: success or failure, by its status.
     *
     * @param replayed whether it is the answer of an earlier attempt
     * @param recorded whether the ledger has it. If not, the call is still pending there, and sending it again gets the
     *     same answer from the server
     */
    record Definitive(String key, Response response, boolean replayed, boolean recorded) implements Answer {}

    /**
     * The request was refused, and to repeat it as it is would not help.
     *
     * @param response what the server said; null when it was not asked
     * @param mayHaveRun whether an earlier attempt may have run the operation. Then the call is still pending; otherwise
     *     the intent is free, and may be sent again when the request is corrected
     */
    record Refused(String key, Refusal reason, @Nullable Response response, boolean mayHaveRun) implements Answer {
        /** In words, for people. */
        public String whatToDo() {
            return reason.whatToDo()
                    + (mayHaveRun && reason.isAboutOneTry()
                            ? " An earlier attempt may have run, so the call stays pending."
                            : "");
        }
    }

    /**
     * There is no definitive answer yet. The call is still pending, and will be sent again with the same key: by {@link
     * SemelClient#resume}, or when it is asked for again.
     *
     * @param attempts how many tries were made, also in earlier runs
     * @param mayHaveRun whether the operation may have run. If not, every try was certainly refused or not sent
     * @param retryAfter how long the server asked to wait, if it did
     * @param response the last answer, if there was one; its {@code Location} may tell the status
     * @param failure why the last try had no answer, if it had none
     */
    record StillUnknown(
            String key,
            Ended ended,
            int attempts,
            boolean mayHaveRun,
            @Nullable Duration retryAfter,
            @Nullable Response response,
            @Nullable Exception failure)
            implements Answer {}

    /** Why a request was refused. */
    enum Refusal {
        KEY_REUSED("The key belongs to another request. Name another intent for another operation."),
        KEY_SPENT(
                "The operation has happened, and its answer is no longer kept. Look the result up; do not repeat it."),
        KEY_TOO_OLD("The key is too old for the server to tell whether the operation has happened. Find out first."),
        STALE("A newer write was accepted before. Read the resource again, then decide."),
        BAD_REQUEST("The server does not take the request as it is. Correct it, and send it again."),
        NOT_AUTHORIZED("The server does not accept the credentials. Supply others, and send it again."),
        REDIRECTED("The server wants it sent to another address (Location). No redirect is followed with a body and a"
                + " key. Correct the URI, and send it again."),
        INTENT_DIFFERS(
                "This intent was used for another request or key before. Nothing was sent. Name another intent, or"
                        + " rotate this one when it has ended."),
        NOT_REMEMBERED("The ledger has no call for this intent: it was never written, or its transaction was rolled"
                + " back. Nothing was sent.");

        private final String whatToDo;

        Refusal(String whatToDo) {
            this.whatToDo = whatToDo;
        }

        public String whatToDo() {
            return whatToDo;
        }

        /** Whether it leaves open what became of earlier attempts. */
        boolean isAboutOneTry() {
            return this != KEY_SPENT && this != INTENT_DIFFERS && this != NOT_REMEMBERED;
        }
    }

    /** Why no more tries were made. */
    enum Ended {
        /** The time that one call may take is over. */
        PATIENCE,
        /** The intent's own deadline has passed: the server may have forgotten the key, so it is not sent again. */
        DEADLINE,
        /** The client as a whole has made as many retries as its budget allows. */
        BUDGET,
        /** The thread was interrupted; it still is. */
        INTERRUPTED,
        /** There were no credentials for it. */
        CREDENTIALS,
        /** The ledger could not be written. */
        LEDGER
    }
}
