package dev.semel.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.semel.admin.JsonTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The response that a client's retries are to get, from a file: a whole response as {@code curl -i} prints it, or a body. */
record ResponseFile(int status, List<String[]> headers, byte[] body) {
    private static final byte[] HTTP = "HTTP/".getBytes(ISO_8859_1);

    /** @param file {@code -} for standard input */
    static ResponseFile read(String file, @Nullable Integer status, @Nullable String contentType) {
        byte[] bytes = bytes(file);
        boolean whole = Arrays.equals(HTTP, 0, HTTP.length, bytes, 0, Math.min(HTTP.length, bytes.length));
        if (!whole) return body(bytes, status == null ? 200 : status, contentType);
        if (status != null || contentType != null)
            throw new UsageProblem(
                    "The file " + file + " is a whole response, so --status and --content-type are not for it.");
        return response(bytes, file);
    }

    private static byte[] bytes(String file) {
        try {
            return file.equals("-") ? System.in.readAllBytes() : Files.readAllBytes(Path.of(file));
        } catch (IOException e) {
            throw new UsageProblem("The file " + file + " cannot be read: " + e.getMessage());
        }
    }

    private static ResponseFile body(byte[] body, int status, @Nullable String contentType) {
        if (body.length == 0 && contentType == null) return new ResponseFile(status, List.of(), body);
        String type =
                contentType != null ? contentType : isJson(body) ? "application/json" : "application/octet-stream";
        return new ResponseFile(status, List.<String[]>of(new String[] {"Content-Type", type}), body);
    }

    private static boolean isJson(byte[] body) {
        try {
            JsonTree.read(body);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static ResponseFile response(byte[] bytes, String file) {
        List<String> lines = new ArrayList<>();
        int at = 0;
        while (true) {
            int end = at;
            while (end < bytes.length && bytes[end] != '\n') end++;
            if (end == bytes.length) throw wrong(file, "no blank line ends its headers");
            String line = new String(bytes, at, end - at, ISO_8859_1).stripTrailing();
            at = end + 1;
            if (line.isEmpty()) break;
            lines.add(line);
        }
        byte[] body = Arrays.copyOfRange(bytes, at, bytes.length);
        String[] start = lines.getFirst().split(" +", 3);
        if (start.length < 2 || !start[1].matches("[2-5][0-9][0-9]"))
            throw wrong(file, "'" + lines.getFirst() + "' has no final status");
        return new ResponseFile(Integer.parseInt(start[1]), headers(lines, body.length, file), body);
    }

    private static List<String[]> headers(List<String> lines, int length, String file) {
        List<String[]> headers = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            int colon = line.indexOf(':');
            if (colon < 1) throw wrong(file, "'" + line + "' is no header");
            String name = line.substring(0, colon);
            String value = line.substring(colon + 1).strip();
            // An editor that ends the last line would otherwise change what the client gets.
            if (name.equalsIgnoreCase("Content-Length") && !value.equals(Integer.toString(length)))
                throw wrong(file, "its Content-Length is " + value + ", but " + length + " bytes follow");
            headers.add(new String[] {name, value});
        }
        return headers;
    }

    private static UsageProblem wrong(String file, String why) {
        return new UsageProblem("The file " + file + " is not a whole response: " + why + ".");
    }

    void write(JsonGenerator out) throws IOException {
        out.writeObjectFieldStart("response");
        out.writeNumberField("status", status);
        out.writeArrayFieldStart("headers");
        for (String[] header : headers) out.writeArray(header, 0, 2);
        out.writeEndArray();
        out.writeStringField("bodyBase64", Base64.getEncoder().encodeToString(body));
        out.writeEndObject();
    }
}
