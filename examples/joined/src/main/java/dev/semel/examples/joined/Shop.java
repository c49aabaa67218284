package dev.semel.examples.joined;

/** Takes the payment of an order into the ledger, once, however often it is asked to. */
public interface Shop {
    /** What is called between the effect and the commit; here a test lets the process fail. */
    interface BeforeCommit {
        void run();
    }

    /** @return the receipt: the same for every attempt */
    String pay(String orderId, long cents, BeforeCommit last) throws Exception;
}
