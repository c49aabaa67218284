package dev.semel.bench.loop;

import static java.nio.charset.StandardCharsets.US_ASCII;

/** The messages that every outbox is measured with: a few words about an order, whose number tells them apart. */
public final class Orders {
    public static final String TOPIC = "orders-";
    public static final String TYPE = "order.paid";

    /** So many keys take turns. */
    public static final int KEYS = 1_000;

    /** How long the payload of each is. */
    public static final int BYTES = 326;

    private static final int DIGITS = 12;
    private static final int NUMBER_AT = "{\"order\":\"".length();

    private static final String REST = """
        ","object":"order","amount":1999,"currency":"eur","customer":"cus_7f3a9b21","status":"paid","created":1767225600,\
        "items":[{"sku":"A-1001","quantity":2,"price":499},{"sku":"B-2040","quantity":1,"price":1001}],\
        "ship_to":{"name":"N. N.","street":"Example Street 1","city":"Springfield","zip":"01101"},"v":1}\
        """;

    private Orders() {}

    public static String key(long number) {
        return "account-" + number % KEYS;
    }

    public static String payload(long number) {
        String digits = Long.toString(number);
        return "{\"order\":\"" + "0".repeat(DIGITS - digits.length()) + digits + REST;
    }

    /** The number of the message with this payload. */
    public static long number(String payload) {
        return Long.parseLong(payload, NUMBER_AT, NUMBER_AT + DIGITS, 10);
    }

    public static long number(byte[] payload) {
        return Long.parseLong(new String(payload, NUMBER_AT, DIGITS, US_ASCII));
    }
}
