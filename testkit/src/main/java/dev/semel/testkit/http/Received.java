package dev.semel.testkit.http;

/** What came back on a connection. */
public sealed interface Received {

    /** A full response. */
    record Response(int status, String reason, Fields headers, byte[] body) implements Received {
        public String text() {
            return new String(body, java.nio.charset.StandardCharsets.UTF_8);
        }

        @Override
        public String toString() {
            StringBuilder text =
                    new StringBuilder("HTTP/1.1 ").append(status).append(' ').append(reason);
            for (Fields.Field field : headers) text.append('\n').append(field);
            return text.append("\n\n").append(Wire.show(body)).toString();
        }
    }

    /**
     * The connection was closed or reset before a full response was there.
     *
     * @param count how many bytes had come
     * @param beginning the first of them
     */
    record CutOff(long count, byte[] beginning) implements Received {
        @Override
        public String toString() {
            return "no full response; the connection ended after " + count + " bytes: " + Wire.show(beginning);
        }
    }
}
