package dev.semel.webhook;

/** The usual encodings of ed25519 keys, from the raw 32 bytes that Standard Webhooks hands round. */
final class Ed25519 {
    private static final int RAW = 32;
    private static final byte[] PKCS8 = {
        0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20
    };
    private static final byte[] X509 = {0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00};

    private Ed25519() {}

    /** A private key; what some tools write after it, the public one, is left out. */
    static byte[] pkcs8(byte[] raw) {
        return join(PKCS8, raw);
    }

    static byte[] x509(byte[] raw) {
        return join(X509, raw);
    }

    private static byte[] join(byte[] head, byte[] raw) {
        if (raw.length != RAW && raw.length != 2 * RAW)
            throw new IllegalArgumentException("An ed25519 key has 32 bytes; this one has " + raw.length + ".");
        byte[] whole = new byte[head.length + RAW];
        System.arraycopy(head, 0, whole, 0, head.length);
        System.arraycopy(raw, 0, whole, head.length, RAW);
        return whole;
    }
}
