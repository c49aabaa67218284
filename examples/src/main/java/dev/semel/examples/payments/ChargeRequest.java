package dev.semel.examples.payments;

import java.io.IOException;
import java.util.Map;
import java.util.regex.Pattern;

/** What a client asks for, checked. */
record ChargeRequest(long amount, String currency, String customer) {
    /** A card with too little money on it, for trying out how a business answer is kept and replayed. */
    static final long DECLINED_AMOUNT = 4002;

    private static final long MAX_AMOUNT = 99_999_999;
    private static final Pattern CURRENCY = Pattern.compile("[A-Za-z]{3}");
    private static final int MAX_CUSTOMER = 64;

    sealed interface Checked {
        record Good(ChargeRequest request) implements Checked {}

        record Bad(int status, String code, String message) implements Checked {}
    }

    static Checked check(byte[] body) {
        Map<String, Object> fields;
        try {
            fields = ChargeJson.readFlatObject(body);
        } catch (IOException e) {
            return invalid("The body must be one flat JSON object.");
        }
        return check(fields);
    }

    private static Checked check(Map<String, Object> fields) {
        for (String name : fields.keySet()) {
            if (!name.equals("amount") && !name.equals("currency") && !name.equals("customer"))
                return invalid("Unknown field: " + name);
        }
        if (!(fields.get("amount") instanceof Long amount) || amount < 1 || amount > MAX_AMOUNT)
            return invalid("amount must be a whole number from 1 to " + MAX_AMOUNT);
        if (!(fields.get("currency") instanceof String currency)
                || !CURRENCY.matcher(currency).matches()) return invalid("currency must be three letters");
        if (!(fields.get("customer") instanceof String customer)
                || customer.isBlank()
                || customer.length() > MAX_CUSTOMER)
            return invalid("customer must be 1 to " + MAX_CUSTOMER + " characters");
        if (amount == DECLINED_AMOUNT) return new Checked.Bad(402, "card_declined", "The card was declined.");
        return new Checked.Good(new ChargeRequest(amount, currency, customer));
    }

    private static Checked invalid(String message) {
        return new Checked.Bad(400, "invalid_request", message);
    }
}
