package dev.semel.model;

/** How far the checker goes: {@code -Dmodel.bounds=big} for minutes instead of seconds. */
final class Bounds {
    static final boolean BIG = "big".equals(System.getProperty("model.bounds"));

    /** Far more than a run takes on a machine that has other things to do, too. */
    static final long SECONDS = BIG ? 3600 : 240;

    private Bounds() {}

    static <T> T pick(T small, T big) {
        return BIG ? big : small;
    }
}
