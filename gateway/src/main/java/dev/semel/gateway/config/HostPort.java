package dev.semel.gateway.config;

/** An address to listen on. Port 0 lets the system choose. */
public record HostPort(String host, int port) {

    /** @throws IllegalArgumentException when the text is not HOST:PORT */
    public static HostPort parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon <= 0) throw new IllegalArgumentException("'" + text + "' is not HOST:PORT, such as 127.0.0.1:8080");
        String host = text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) host = host.substring(1, host.length() - 1);
        return new HostPort(host, port(text, text.substring(colon + 1)));
    }

    private static int port(String whole, String digits) {
        try {
            int port = Integer.parseInt(digits);
            if (port >= 0 && port <= 65535) return port;
        } catch (NumberFormatException e) {
            // told below, like a number out of range
        }
        throw new IllegalArgumentException("'" + whole + "' has no port between 0 and 65535 after the colon");
    }

    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
