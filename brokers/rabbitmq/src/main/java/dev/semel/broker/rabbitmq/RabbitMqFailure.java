package dev.semel.broker.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AuthenticationFailureException;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.PossibleAuthenticationFailureException;
import com.rabbitmq.client.ShutdownSignalException;
import org.jspecify.annotations.Nullable;

/**
 * Why RabbitMQ has closed something, in its own words.
 *
 * @param code as in the protocol, such as 404; 0 when it was not RabbitMQ that said something
 * @param connection whether it is the connection, and not only a channel
 */
record RabbitMqFailure(int code, String text, boolean connection) {

    static RabbitMqFailure of(Throwable thrown) {
        Throwable last = thrown;
        for (Throwable at = thrown; at != null; at = at.getCause()) {
            RabbitMqFailure said = at instanceof ShutdownSignalException e ? said(e.getReason()) : null;
            if (said != null) return said;
            if (at instanceof AuthenticationFailureException || at instanceof PossibleAuthenticationFailureException)
                return new RabbitMqFailure(AMQP.ACCESS_REFUSED, "the user or the password is wrong", true);
            last = at;
        }
        String message = last.getMessage();
        return new RabbitMqFailure(
                0,
                message == null ? last.getClass().getSimpleName() : message,
                !(thrown instanceof ShutdownSignalException e) || e.isHardError());
    }

    private static @Nullable RabbitMqFailure said(@Nullable Method reason) {
        return switch (reason) {
            case AMQP.Channel.Close it -> new RabbitMqFailure(it.getReplyCode(), it.getReplyText(), false);
            case AMQP.Connection.Close it -> new RabbitMqFailure(it.getReplyCode(), it.getReplyText(), true);
            case null, default -> null;
        };
    }

    @Override
    public String toString() {
        return text;
    }
}
