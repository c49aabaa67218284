package dev.semel.torture.client;

import dev.semel.torture.history.Promise;
import java.util.List;
import java.util.Random;

/**
 * What clients do, and how often, in percent of what they do; the rest of the time they ask until they are answered.
 *
 * @param patient how many calls wait for longer than anybody should
 * @param promises what they ask for, where a door has it, each as often as the others
 */
public record ClientBehaviour(
        int hangingUp, int askingForSomethingElse, int askingSeveralGateways, int patient, List<Promise> promises) {
    /** Mostly orderly, with something of everything. */
    public static final ClientBehaviour DEFAULT = new ClientBehaviour(4, 3, 7, 10, List.of(Promise.values()));

    private static final int SHORTEST_TIMEOUT_MILLIS = 300;
    private static final int USUAL_TIMEOUT_MILLIS = 3_000;
    private static final int LONGEST_TIMEOUT_MILLIS = 10_000;

    /** Clients ask several gateways at once this often, and all are patient. */
    public ClientBehaviour withManyGatewaysAsked(int askingSeveralGateways) {
        return new ClientBehaviour(hangingUp, askingForSomethingElse, askingSeveralGateways, 100, promises);
    }

    public ClientBehaviour asking(Promise promise) {
        return new ClientBehaviour(hangingUp, askingForSomethingElse, askingSeveralGateways, patient, List.of(promise));
    }

    enum Action {
        HANG_UP_WHILE_ASKING,
        HANG_UP_ON_ANSWER,
        ASK_FOR_SOMETHING_ELSE,
        ASK_SEVERAL_GATEWAYS,
        ASK_UNTIL_ANSWERED
    }

    Action next(Random random) {
        int dice = random.nextInt(100);
        if (dice < hangingUp) return dice % 2 == 0 ? Action.HANG_UP_WHILE_ASKING : Action.HANG_UP_ON_ANSWER;
        dice -= hangingUp;
        if (dice < askingForSomethingElse) return Action.ASK_FOR_SOMETHING_ELSE;
        dice -= askingForSomethingElse;
        return dice < askingSeveralGateways ? Action.ASK_SEVERAL_GATEWAYS : Action.ASK_UNTIL_ANSWERED;
    }

    int timeoutMillis(Random random) {
        boolean waits = random.nextInt(100) < patient;
        return random.nextInt(SHORTEST_TIMEOUT_MILLIS, waits ? LONGEST_TIMEOUT_MILLIS : USUAL_TIMEOUT_MILLIS);
    }
}
