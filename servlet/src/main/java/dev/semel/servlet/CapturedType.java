package dev.semel.servlet;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The type of a body, and the charset of its text: two settings in one header. */
final class CapturedType {
    private static final Pattern CHARSET =
            Pattern.compile(";\\s*charset\\s*=\\s*(\"[^\"]*\"|[^;\\s]*)", Pattern.CASE_INSENSITIVE);

    private final String otherwise;
    private @Nullable String type;
    private @Nullable String charset;
    private boolean fixed;

    CapturedType(String otherwise) {
        this.otherwise = otherwise;
    }

    CapturedType copy() {
        CapturedType copy = new CapturedType(otherwise);
        copy.type = type;
        copy.charset = charset;
        copy.fixed = fixed;
        return copy;
    }

    void clear() {
        type = null;
        charset = null;
        fixed = false;
    }

    /** @param value with or without a charset; null to have no type */
    void set(@Nullable String value) {
        Matcher named = CHARSET.matcher(value == null ? "" : value);
        if (named.find()) {
            if (!fixed) charset = named.group(1).replace("\"", "");
            type = named.replaceFirst("");
        } else {
            type = value;
            if (value == null && !fixed) charset = null;
        }
    }

    void setCharset(@Nullable String charset) {
        if (!fixed) this.charset = charset;
    }

    String charset() {
        return charset == null ? otherwise : charset;
    }

    /** Text begins to be written: from here on its charset stays, and is told. */
    String fixCharset() {
        fixed = true;
        if (charset == null) charset = otherwise;
        return charset;
    }

    /** What was written so far is dropped. */
    void freeCharset() {
        fixed = false;
    }

    @Nullable
    String header() {
        if (type == null) return null;
        return charset == null ? type : type + ";charset=" + charset;
    }
}
