package dev.semel.gateway;

import dev.semel.core.claim.SemelEvent;
import dev.semel.core.claim.SemelListener;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * What the log says about keys: one line when a doubt begins and one when it ends, and what went wrong in the background.
 * A key is told by its hash, which {@code semel keys get} shows too; never in the clear.
 */
final class EventLog implements SemelListener {
    private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);
    private static final Logger DOUBTS = LoggerFactory.getLogger("semel.doubt");

    @Override
    public void on(SemelEvent event) {
        switch (event) {
            case SemelEvent.BackgroundTaskFailed it ->
                LOG.warn("Could not {}: {}", it.task(), it.cause().getMessage());
            case SemelEvent.RenewalFailed it ->
                LOG.warn("A lease could not be renewed: {}", it.cause().getMessage());
            case SemelEvent.LeaseLost it ->
                LOG.warn("A lease was lost while its operation ran: {}", it.id().operation());
            case SemelEvent.FellIntoDoubt it -> began(it.record());
            case SemelEvent.DoubtEnded it -> ended(it.record(), it.by());
            case SemelEvent.LeftBehind it -> leftBehind(it);
            case SemelEvent.UnreadableRecords it ->
                LOG.error(
                        "{} records in the store cannot be read. They stay as they are, and requests with their keys"
                                + " are refused. Their digests: {}",
                        it.digests().size(),
                        it.digests());
            case SemelEvent.Resumed it ->
                LOG.info("Going on with {}, attempt {}", it.id().operation(), it.attempt());
            case SemelEvent.DoubtResolved it -> {} // in the audit log
            case SemelEvent.Probed it -> {}
            case SemelEvent.Claimed it -> {}
            case SemelEvent.LeaseSettled it -> {}
        }
    }

    private static void began(KeyRecord record) {
        String reason = record.state() instanceof KeyState.InDoubt doubt ? doubt.reason() : "";
        about(record, DOUBTS.atWarn())
                .addKeyValue("reason", LogText.safe(reason))
                .log("A doubt began: the operation may have happened.");
    }

    private static void ended(KeyRecord record, SemelEvent.EndedBy by) {
        about(record, DOUBTS.atInfo()).addKeyValue("by", words(by)).log(became(record.state(), by));
    }

    private static void leftBehind(SemelEvent.LeftBehind it) {
        DOUBTS.atWarn()
                .addKeyValue("operation", LogText.safe(it.id().operation()))
                .addKeyValue("hash", it.id().hash())
                .addKeyValue("token", it.token())
                .addKeyValue("reason", it.why())
                .log("Left unsettled: the store was not told {}.", it.word());
    }

    private static LoggingEventBuilder about(KeyRecord record, LoggingEventBuilder line) {
        return line.addKeyValue("operation", LogText.safe(record.id().operation()))
                .addKeyValue("hash", record.id().hash())
                .addKeyValue("token", record.token());
    }

    private static String became(KeyState state, SemelEvent.EndedBy by) {
        if (by == SemelEvent.EndedBy.FORGOTTEN) return "A doubt ended: nobody said in time what happened.";
        return state instanceof KeyState.Free
                ? "A doubt ended: the operation did not happen, and the key is free."
                : "A doubt ended: the operation happened.";
    }

    private static String words(SemelEvent.EndedBy by) {
        return switch (by) {
            case LATE_ANSWER -> "late answer";
            case RELEASED -> "released";
            case PROBE -> "probe";
            case OPERATOR -> "operator";
            case FORGOTTEN -> "forgotten";
        };
    }
}
