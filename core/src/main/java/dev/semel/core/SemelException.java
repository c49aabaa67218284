package dev.semel.core;

/**
 * {@link Operation#once} has no outcome to give. Which of its kinds it is says why, whether the operation ran, and what to
 * do.
 */
public abstract sealed class SemelException extends RuntimeException
        permits InProgressException,
                KeyReusedException,
                KeySpentException,
                OutcomeNotKeptException,
                OutcomeUnknownException,
                QuotaExceededException {
    private static final long serialVersionUID = 1;

    SemelException(String message) {
        super(message);
    }
}
