package dev.semel.core.claim;

import dev.semel.core.key.Outcome;
import java.time.Duration;

/**
 * The lease of a holder outside this process, who has nothing but the token of its claim. Each call looks the key up and
 * says what became of the word; saying the same thing twice is fine.
 *
 * <p>Safe for use by any thread. When a call returns {@link Settlement.Accepted}, what it says is durable; on
 * {@link Settlement.Unrecorded} the holder has to say it again, for nobody here does.
 */
public interface RemoteLease {
    Settlement complete(Outcome outcome);

    Settlement release();

    Settlement doubt(String reason);

    /** Holds the key for so long from now on. */
    Settlement renew(Duration lease);
}
