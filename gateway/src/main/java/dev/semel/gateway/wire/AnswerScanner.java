package dev.semel.gateway.wire;

/** Finds where the answer to a request ends. For connections without pipelining. */
final class AnswerScanner extends MessageScanner {
    private boolean bodiless;
    private int status;

    AnswerScanner() {
        super(State.IDLE);
    }

    /** To be told of each request before it is sent. */
    void expectAnswer(boolean headOnly) {
        goTo(State.START_LINE);
        bodiless = headOnly;
    }

    @Override
    void onStartLine(String text) {
        if (text.isEmpty()) return;
        String[] words = text.split(" ", 3);
        status = words.length > 1 ? (int) number(words[1], 10) : -1;
        startHead(-1);
    }

    @Override
    void onEndOfHead() {
        boolean interim = status >= 100 && status < 200 && status != 101;
        if (interim) goTo(State.START_LINE);
        else if (bodiless || status == 204 || status == 304) goTo(State.IDLE);
        else startBody();
    }
}
