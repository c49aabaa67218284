package dev.semel.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/** An HTTP/1.1 message, whole, as it is on the wire: nothing is added, retried or followed behind a test's back. */
record HttpMessage(String startLine, List<Field> fields, byte[] body) {

    record Field(String name, String value) {}

    /** @throws EOFException when the message is not all there */
    static HttpMessage read(InputStream in) throws IOException {
        String startLine = line(in);
        List<Field> fields = new ArrayList<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            if (colon < 1) throw new IOException("not a header: " + line);
            fields.add(new Field(
                    line.substring(0, colon), line.substring(colon + 1).strip()));
        }
        HttpMessage head = new HttpMessage(startLine, List.copyOf(fields), new byte[0]);
        return new HttpMessage(startLine, head.fields, head.body(in));
    }

    private byte[] body(InputStream in) throws IOException {
        if (first("Transfer-Encoding").equalsIgnoreCase("chunked")) return chunks(in);
        String length = first("Content-Length");
        return length.isEmpty() ? new byte[0] : exactly(Integer.parseInt(length), in);
    }

    private static byte[] chunks(InputStream in) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (int size = chunkSize(in); size > 0; size = chunkSize(in)) {
            body.write(exactly(size, in));
            line(in);
        }
        while (!line(in).isEmpty()) continue;
        return body.toByteArray();
    }

    private static int chunkSize(InputStream in) throws IOException {
        return Integer.parseInt(line(in).split(";", 2)[0].strip(), 16);
    }

    private static byte[] exactly(int length, InputStream in) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) throw new EOFException("the body ended early");
        return bytes;
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder(80);
        while (true) {
            int octet = in.read();
            if (octet < 0) throw new EOFException("the connection ended");
            if (octet == '\n') return line.toString();
            if (octet != '\r') line.append((char) octet);
        }
    }

    /** The value of the first header of this name; empty when there is none. */
    String first(String name) {
        for (Field field : fields) if (field.name().equalsIgnoreCase(name)) return field.value();
        return "";
    }

    /** In one write, so that no half of it waits for the other. */
    void write(OutputStream out) throws IOException {
        StringBuilder head = new StringBuilder(startLine).append("\r\n");
        for (Field field : fields)
            head.append(field.name()).append(": ").append(field.value()).append("\r\n");
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.write(head.append("\r\n").toString().getBytes(ISO_8859_1));
        whole.write(body);
        whole.writeTo(out);
        out.flush();
    }
}
