package dev.semel.webhook.receive;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Map;

/** What became of a webhook, and what its sender is told. The reasons are for a log; a sender never sees them. */
public sealed interface Receipt {

    /**
     * It is durable: committed in the database, now or before.
     *
     * @param id the sender's
     * @param isFirst whether it is new; else a duplicate, and nothing was done
     */
    record Taken(String id, boolean isFirst) implements Receipt {}

    /** Nobody who has the key sent it, or it is too old. Nothing was done. */
    record Rejected(String reason) implements Receipt {}

    /** It is genuine, and cannot be told from others: its id is no id. Nothing was done. */
    record Unusable(String reason) implements Receipt {}

    /** @param largest in bytes */
    record TooLarge(int largest) implements Receipt {}

    /** The database did not answer. It is stored or not: the sender has to send it again. */
    record Unavailable(String reason) implements Receipt {}

    /** What should handle it, or make a message of it, failed. Nothing was done; the sender has to send it again. */
    record Failed(Throwable failure) implements Receipt {}

    /**
     * An answer over HTTP.
     *
     * @param headers with the names as they are usually written
     */
    record Answer(int status, Map<String, String> headers, byte[] body) {}

    /** What the sender is told, whoever it is: nothing that would help to forge a webhook. */
    default Answer answer() {
        return switch (this) {
            case Taken it -> new Answer(200, Map.of(), new byte[0]);
            case Rejected it ->
                problem(
                        401,
                        "webhook-rejected",
                        "This webhook was not accepted",
                        "Nothing was done. It must be signed with a key that is known here, just now.");
            case Unusable it ->
                problem(
                        400,
                        "webhook-unusable",
                        "This webhook has no usable id",
                        "Nothing was done. Its id has 1 to 255 visible ASCII characters.");
            case TooLarge(int largest) ->
                problem(
                        413,
                        "body-too-large",
                        "This webhook is too large",
                        "Nothing was done. A webhook has at most " + largest + " bytes here.");
            case Unavailable it ->
                again(503, "webhook-not-stored", "This webhook could not be stored right now", "Send it again.");
            case Failed it -> again(500, "webhook-failed", "This webhook could not be handled", "Send it again.");
        };
    }

    private static Answer again(int status, String name, String title, String detail) {
        Answer problem = problem(status, name, title, detail);
        return new Answer(
                status, Map.of("Content-Type", "application/problem+json", "Retry-After", "5"), problem.body());
    }

    /** None of these words needs to be escaped. */
    private static Answer problem(int status, String name, String title, String detail) {
        String json = "{\"type\":\"urn:semel:problem:" + name + "\",\"title\":\"" + title + "\",\"status\":" + status
                + ",\"detail\":\"" + detail + "\"}";
        return new Answer(status, Map.of("Content-Type", "application/problem+json"), json.getBytes(UTF_8));
    }
}
