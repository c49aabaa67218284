package dev.semel.torture.history;

import org.jspecify.annotations.Nullable;

/**
 * Events as bytes: one for the kind, then the members in their order. A text is the number of a name; a name is told by a record of its
 * own, right before the first event that needs it. An event takes some 20 bytes.
 */
final class EventCodec {
    private static final int NAME = 0;
    private static final int SENT = 1;
    private static final int ANSWERED = 2;
    private static final int UNANSWERED = 3;
    private static final int EFFECT = 4;
    private static final int FAULT = 5;
    private static final int SETTLED = 6;

    private final StringTable names;

    EventCodec(StringTable names) {
        this.names = names;
    }

    void write(Event event, ByteSink out) {
        switch (event) {
            case Event.Sent it -> write(it, out);
            case Event.Answered it -> write(it, out);
            case Event.Unanswered it -> {
                int how = name(it.how(), out);
                begin(UNANSWERED, it, out);
                numbers(out, it.call(), how);
            }
            case Event.Effect it -> write(it, out);
            case Event.Fault it -> {
                int kind = name(it.kind(), out);
                int target = name(it.target(), out);
                begin(FAULT, it, out);
                numbers(out, it.until(), kind, target);
            }
            case Event.Settled it -> {
                int key = name(it.key(), out);
                int problem = name(it.problem(), out);
                int body = name(it.body(), out);
                begin(SETTLED, it, out);
                numbers(out, key, it.status(), problem, body);
            }
        }
    }

    private void write(Event.Sent it, ByteSink out) {
        int key = name(it.key(), out);
        int promise = name(it.promise().name(), out);
        int gateway = name(it.gateway(), out);
        begin(SENT, it, out);
        numbers(out, it.call(), it.client(), key, it.payload(), promise, gateway);
    }

    private void write(Event.Answered it, ByteSink out) {
        int problem = name(it.problem(), out);
        int body = name(it.body(), out);
        begin(ANSWERED, it, out);
        numbers(out, it.call(), it.status(), problem, it.replayed() ? 1 : 0, body);
    }

    private void write(Event.Effect it, ByteSink out) {
        int key = name(it.key(), out);
        int body = name(it.body(), out);
        begin(EFFECT, it, out);
        numbers(out, key, it.payload(), it.token(), it.attempt(), it.accepted() ? 1 : 0, body);
    }

    private int name(String text, ByteSink out) {
        int known = names.find(text);
        if (known >= 0) return known;
        out.put(NAME);
        out.text(text);
        return names.add(text);
    }

    private static void begin(int kind, Event event, ByteSink out) {
        out.put(kind);
        out.number(event.at());
    }

    private static void numbers(ByteSink out, long... numbers) {
        for (long it : numbers) out.number(it);
    }

    /**
     * The next event; null when the record is that of a name.
     *
     * @param learns whether names are new here, and not just passed again
     */
    @Nullable
    Event read(ByteSource in, boolean learns) {
        int kind = in.next();
        if (kind == NAME) {
            String text = in.text();
            if (learns) names.add(text);
            return null;
        }
        long at = in.number();
        return switch (kind) {
            case SENT ->
                new Event.Sent(at, in.whole(), in.whole(), name(in), in.whole(), Promise.valueOf(name(in)), name(in));
            case ANSWERED -> new Event.Answered(at, in.whole(), in.whole(), name(in), in.whole() == 1, name(in));
            case UNANSWERED -> new Event.Unanswered(at, in.whole(), name(in));
            case EFFECT ->
                new Event.Effect(at, name(in), in.whole(), in.number(), in.whole(), in.whole() == 1, name(in));
            case FAULT -> new Event.Fault(at, in.number(), name(in), name(in));
            case SETTLED -> new Event.Settled(at, name(in), in.whole(), name(in), name(in));
            default -> throw new IllegalStateException("No kind of event: " + kind);
        };
    }

    private String name(ByteSource in) {
        return names.text(in.whole());
    }
}
