package dev.semel.core.store;

import java.util.function.IntConsumer;

/** A store whose concurrent writes share commits, and that tells how well they do. */
public interface GroupCommits {
    /** @param writes is told after each commit how many writes it carried, on the thread that committed: be quick */
    void onCommit(IntConsumer writes);
}
