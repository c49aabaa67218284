package dev.semel.store.jdbc;

import java.util.List;

/** Where a process with the library can die, in the order in which it comes by. */
enum CrashPoint {
    /** C0: nothing was asked of the database. */
    BEFORE_CLAIM,
    /** C1: the claim is on the wire. */
    CLAIMING(true),
    /** J1, or C3 of a lease: the claim was answered; nothing has happened. */
    CLAIMED,
    /** J1, or C4 of a lease: the effect is done; joined, it is not committed. */
    EFFECT_DONE,
    /** J2, or C2 of a lease: the outcome is on the wire; J3 too, where the commit is sent with it. */
    RECORDING(true),
    /** J2: the outcome is in the transaction. */
    RECORDED,
    /** J3: the commit is on the wire. */
    COMMITTING(true),
    /** C5: all is durable, and nobody was told. */
    ANSWERING,

    /** S1: a step is being run. */
    STEP_RUNNING,
    /** S2: it has run. */
    STEP_DONE,
    /** S2: what it gave is on the wire. */
    STEP_NOTING(true),
    /** S3: it is noted; the next one has not begun. */
    STEP_NOTED,
    /** S4: the operation has failed for good, and a step is being undone. */
    UNDOING,
    /** S4: it is undone. */
    UNDONE,
    /** S4: that it is undone is on the wire. */
    UNDO_NOTING(true);

    /** What is on the wire may arrive or not, and so may its answer. */
    final boolean onTheWire;

    CrashPoint() {
        this(false);
    }

    CrashPoint(boolean onTheWire) {
        this.onTheWire = onTheWire;
    }

    static final List<CrashPoint> JOINED =
            List.of(BEFORE_CLAIM, CLAIMING, CLAIMED, EFFECT_DONE, RECORDING, RECORDED, COMMITTING, ANSWERING);
    static final List<CrashPoint> TRANSACTED =
            List.of(BEFORE_CLAIM, CLAIMING, CLAIMED, EFFECT_DONE, RECORDING, ANSWERING);
    static final List<CrashPoint> LEASED = List.of(BEFORE_CLAIM, CLAIMING, CLAIMED, EFFECT_DONE, RECORDING, ANSWERING);
    static final List<CrashPoint> STEPPED = List.of(STEP_RUNNING, STEP_DONE, STEP_NOTING, STEP_NOTED);
    static final List<CrashPoint> UNDONE_STEPS = List.of(UNDOING, UNDONE, UNDO_NOTING);
}
