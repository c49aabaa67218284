package dev.semel.broker.webhook.http;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** A range of IP addresses, such as {@code 10.0.0.0/8} or {@code fd00::/8}. */
public record AddressRange(InetAddress first, int bits) {

    /** @throws IllegalArgumentException when it is none; a host name is none either */
    public static AddressRange parse(String text) {
        int slash = text.indexOf('/');
        String address = slash < 0 ? text : text.substring(0, slash);
        boolean literal =
                address.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}") || address.matches("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");
        try {
            if (literal) {
                InetAddress first = InetAddress.getByName(address);
                int most = first.getAddress().length * 8;
                int bits = slash < 0 ? most : Integer.parseInt(text.substring(slash + 1));
                if (bits >= 0 && bits <= most) return new AddressRange(first, bits);
            }
        } catch (UnknownHostException | NumberFormatException e) {
            // Told below.
        }
        throw new IllegalArgumentException(
                "A range of addresses is written as 10.0.0.0/8 or fd00::/8, not '" + text + "'.");
    }

    public boolean has(InetAddress address) {
        byte[] one = first.getAddress();
        byte[] other = address.getAddress();
        if (one.length != other.length) return false;
        int rest = one.length * 8 - bits;
        return new BigInteger(1, one).shiftRight(rest).equals(new BigInteger(1, other).shiftRight(rest));
    }
}
