package dev.semel.examples.demo.messages;

/**
 * What became of the orders on one side.
 *
 * @param orders orders that the shop has in its database
 * @param refused requests to the broker that failed
 * @param answersLost requests that the broker took without saying so
 * @param redelivered messages that the broker delivered again
 * @param absorbed messages that the inbox knew already
 * @param invoices invoices that were written
 * @param onTheWay orders whose invoice may still come
 * @param lost orders whose invoice will never come
 * @param lostCents money that nobody will ask for
 * @param twice invoices beyond the first of their order
 * @param twiceCents money that customers were asked for again
 */
public record MessagesCount(
        long orders,
        long refused,
        long answersLost,
        long redelivered,
        long absorbed,
        long invoices,
        long onTheWay,
        long lost,
        long lostCents,
        long twice,
        long twiceCents) {

    boolean isRight() {
        return lost == 0 && twice == 0;
    }
}
