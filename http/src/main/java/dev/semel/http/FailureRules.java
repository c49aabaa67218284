package dev.semel.http;

import java.net.SocketTimeoutException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/**
 * What an exception of the application says about the operation, where the application runs behind a guard in the same
 * process. Nothing is guessed: an exception that is not named here means that nobody can tell whether the operation ran.
 * A type that is named stands for its subtypes too; the nearest counts. Immutable.
 *
 * <p>An application that answers 500 itself has answered. This is about exceptions that nobody in it has caught.
 */
public final class FailureRules {
    /** Every exception leaves a doubt. */
    public static final FailureRules ALL_IN_DOUBT = new FailureRules(
            Map.of(TimeoutException.class, Meaning.TIMED_OUT, SocketTimeoutException.class, Meaning.TIMED_OUT));

    private enum Meaning {
        NOT_RUN,
        TIMED_OUT
    }

    private final Map<Class<? extends Throwable>, Meaning> named;

    private FailureRules(Map<Class<? extends Throwable>, Meaning> named) {
        this.named = Map.copyOf(named);
    }

    /** Exceptions of this type say that nothing ran: the key is free for the next attempt. Whoever says so must be certain. */
    public FailureRules notRun(Class<? extends Throwable> type) {
        return with(type, Meaning.NOT_RUN);
    }

    /** Exceptions of this type leave a doubt like all others, which the client is told by 504 rather than 502. */
    public FailureRules timedOut(Class<? extends Throwable> type) {
        return with(type, Meaning.TIMED_OUT);
    }

    private FailureRules with(Class<? extends Throwable> type, Meaning meaning) {
        Map<Class<? extends Throwable>, Meaning> more = new HashMap<>(named);
        more.put(type, meaning);
        return new FailureRules(more);
    }

    /** What is known after the application threw this. The message of the exception is not repeated: it may hold secrets. */
    public <B> Exchange<B> of(Throwable failure) {
        String why = "the application threw " + failure.getClass().getSimpleName();
        for (Class<?> type = failure.getClass(); type != null; type = type.getSuperclass()) {
            Meaning meaning = named.get(type);
            if (meaning == Meaning.NOT_RUN) return new Exchange.NotSent<>(why);
            if (meaning == Meaning.TIMED_OUT) return new Exchange.TimedOut<>(why);
        }
        return new Exchange.Broken<>(why);
    }
}
