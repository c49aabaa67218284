package dev.semel.torture.fuzz;

import dev.semel.torture.fuzz.FuzzCase.Ending;
import java.io.ByteArrayOutputStream;
import java.util.Random;

/** Makes cases up: the same for the same seed and number. Safe for use by any thread. */
final class CaseSource {
    /** How far back a key may be taken from, so that its uses meet in flight. */
    private static final int KEY_REACH = 40;

    private final long seed;

    CaseSource(long seed) {
        this.seed = seed;
    }

    FuzzCase number(int index) {
        Random random = new Random(seed * 0x9E3779B97F4A7C15L + index * 0xBF58476D1CE4E5B9L);
        random.nextLong();
        if (random.nextInt(25) == 0) return new FuzzCase(Http2Frames.garbled(random), 0, 0, Ending.UNTIL_CLOSED);
        int count = random.nextInt(8) == 0 ? 2 + random.nextInt(3) : 1;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < count; i++) bytes.writeBytes(request(random, index));
        int pieceSize = random.nextInt(6) == 0 ? 1 + random.nextInt(50) : 0;
        return new FuzzCase(bytes.toByteArray(), pieceSize, count, ending(random));
    }

    private static Ending ending(Random random) {
        return switch (random.nextInt(30)) {
            case 0, 1 -> Ending.HANG_UP;
            case 2 -> Ending.RESET;
            case 3 -> Ending.HALF_CLOSE;
            default -> Ending.READ;
        };
    }

    private byte[] request(Random random, int index) {
        Draft draft = valid(random, index);
        if (random.nextInt(4) == 0) return draft.bytes(7);
        int changes = random.nextInt(3);
        for (int i = 0; i < changes; i++) PartMutations.change(draft, random);
        byte[] bytes = draft.bytes(1 + random.nextInt(20));
        int spoilings = changes == 0 ? 1 + random.nextInt(3) : random.nextInt(2);
        for (int i = 0; i < spoilings; i++) bytes = ByteMutations.change(bytes, random);
        return bytes;
    }

    private Draft valid(Random random, int index) {
        Draft draft = new Draft();
        int operation = Math.max(0, index - random.nextInt(KEY_REACH));
        String key = "fz-" + Long.toHexString(seed) + "-" + operation;
        switch (random.nextInt(12)) {
            case 0 -> draft.target = "/fuzz/hello";
            case 1 -> draft.method = "HEAD";
            case 2 -> draft.target = "/.semel/v1/keys/" + key + "?operation=POST%20/fuzz/charges";
            case 3 -> draft.target = "/.well-known/idempotency";
            case 4 -> charge(draft, "PUT", operation);
            case 5 -> charge(draft, "POST", operation);
            default -> {
                charge(draft, random.nextInt(5) == 0 ? "PATCH" : "POST", operation);
                draft.key(random.nextInt(4) == 0 ? "\"" + key + "\"" : key);
                draft.chunked = random.nextInt(3) == 0;
            }
        }
        return draft;
    }

    /** The same operation asks for the same. */
    private static void charge(Draft draft, String method, int operation) {
        draft.method = method;
        draft.target = "/fuzz/charges";
        draft.json("{\"amount\":" + operation + ",\"currency\":\"EUR\",\"items\":[1,2.5,{\"a\":null}]}");
    }
}
