package dev.semel.store.dynamodb;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;

/** Instants as the numbers of DynamoDB: seconds since 1970, with as many decimals as it takes. */
final class Timestamps {
    /**
     * How much later than its time an item is given to the server to delete. The server goes by a clock of its own; a
     * record that is gone too early could begin its next life with a lower token, and one that stays longer harms nobody.
     */
    private static final Duration TTL_MARGIN = Duration.ofHours(1);

    private Timestamps() {}

    static String of(Instant instant) {
        BigDecimal exact = BigDecimal.valueOf(instant.getEpochSecond()).add(BigDecimal.valueOf(instant.getNano(), 9));
        return exact.stripTrailingZeros().toPlainString();
    }

    /** @throws ArithmeticException when it is no instant */
    static Instant read(String number) {
        BigDecimal exact = new BigDecimal(number);
        BigDecimal seconds = exact.setScale(0, RoundingMode.FLOOR);
        int nanos = exact.subtract(seconds).movePointRight(9).intValueExact();
        return Instant.ofEpochSecond(seconds.longValueExact(), nanos);
    }

    /** In whole seconds, as the server wants it. */
    static String ttl(Instant forgetAt) {
        return Long.toString(forgetAt.plus(TTL_MARGIN).getEpochSecond() + 1);
    }
}
