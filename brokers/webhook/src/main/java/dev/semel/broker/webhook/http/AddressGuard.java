package dev.semel.broker.webhook.http;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which addresses a webhook may be sent to: those of the public internet, and what is allowed besides. An endpoint's owner chooses
 * its URL, and would otherwise reach whatever this process can reach. Immutable.
 */
public final class AddressGuard {
    /** What is not the public internet, or not the way to it. */
    private static final List<AddressRange> REFUSED_4 = ranges(
            "0.0.0.0/8", // this network
            "10.0.0.0/8", // private
            "100.64.0.0/10", // carrier-grade NAT
            "127.0.0.0/8", // loopback
            "169.254.0.0/16", // link-local: where clouds tell a machine its secrets
            "172.16.0.0/12", // private
            "192.0.0.0/24", // protocol assignments
            "192.0.2.0/24", // documentation
            "192.31.196.0/24", // AS112
            "192.52.193.0/24", // AMT
            "192.88.99.0/24", // relays of 6to4
            "192.168.0.0/16", // private
            "192.175.48.0/24", // AS112
            "198.18.0.0/15", // benchmarks
            "198.51.100.0/24", // documentation
            "203.0.113.0/24", // documentation
            "224.0.0.0/4", // multicast
            "240.0.0.0/4"); // reserved, broadcast

    /** Of IPv6 only this is assigned to the internet. It leaves out loopback, link-local, unique local, multicast, NAT64 and mapped. */
    private static final AddressRange GLOBAL_6 = AddressRange.parse("2000::/3");

    private static final List<AddressRange> REFUSED_6 = ranges(
            "2001::/23", // protocol assignments, Teredo among them
            "2001:db8::/32", // documentation
            "2002::/16", // 6to4: has an IPv4 address inside
            "2620:4f:8000::/48", // AS112
            "3fff::/20"); // documentation

    private final List<AddressRange> allowed;

    /** @param allowed what may be reached although it is not public */
    public AddressGuard(List<AddressRange> allowed) {
        this.allowed = List.copyOf(allowed);
    }

    private static List<AddressRange> ranges(String... texts) {
        return Stream.of(texts).map(AddressRange::parse).toList();
    }

    /** Whether a webhook may be sent there. */
    public boolean allows(InetAddress address) {
        InetAddress real = unwrapped(address);
        return allowed.stream().anyMatch(it -> it.has(real) || it.has(address)) || isPublic(real);
    }

    private static boolean isPublic(InetAddress address) {
        if (address instanceof Inet4Address) return REFUSED_4.stream().noneMatch(it -> it.has(address));
        return GLOBAL_6.has(address) && REFUSED_6.stream().noneMatch(it -> it.has(address));
    }

    /** {@code ::ffff:a.b.c.d} goes to a.b.c.d. */
    private static InetAddress unwrapped(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (bytes.length != 16) return address;
        for (int i = 0; i < 10; i++) if (bytes[i] != 0) return address;
        if (bytes[10] != -1 || bytes[11] != -1) return address;
        try {
            return InetAddress.getByAddress(Arrays.copyOfRange(bytes, 12, 16));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("Four bytes are an address.", e);
        }
    }

    /** The addresses of these that may be connected to. @throws RefusedAddressException when there is none */
    List<InetAddress> allowed(String host, List<InetAddress> addresses) throws RefusedAddressException {
        List<InetAddress> good = addresses.stream().filter(this::allows).toList();
        if (good.isEmpty()) throw new RefusedAddressException(host, addresses.isEmpty() ? null : addresses.getFirst());
        return good;
    }

    /** A host has no address that may be connected to. */
    static final class RefusedAddressException extends java.io.IOException {
        RefusedAddressException(String host, @Nullable InetAddress address) {
            super(host + " has the address " + (address == null ? "none" : address.getHostAddress())
                    + ", which is not of the public internet; see 'allow' of the relay's webhook: URL");
        }
    }
}
