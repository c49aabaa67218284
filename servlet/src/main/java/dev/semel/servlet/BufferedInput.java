package dev.semel.servlet;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;

/** A body that is there already. For one thread at a time. */
final class BufferedInput extends ServletInputStream {
    private final ByteArrayInputStream bytes;

    BufferedInput(byte[] body) {
        this.bytes = new ByteArrayInputStream(body);
    }

    @Override
    public int read() {
        return bytes.read();
    }

    @Override
    public int read(byte[] to, int from, int count) {
        return bytes.read(to, from, count);
    }

    @Override
    public int available() {
        return bytes.available();
    }

    @Override
    public boolean isFinished() {
        return bytes.available() == 0;
    }

    @Override
    public boolean isReady() {
        return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
        try {
            if (!isFinished()) listener.onDataAvailable();
            if (isFinished()) listener.onAllDataRead();
        } catch (IOException e) {
            listener.onError(e);
        }
    }
}
