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
        Random luck = new Random(seed * 0x9E3779B97F4A7C15L + index * 0xBF58476D1CE4E5B9L);
        luck.nextLong();
        if (luck.nextInt(25) == 0) return new FuzzCase(Frames.garbled(luck), 0, 0, Ending.UNTIL_CLOSED);
        int count = luck.nextInt(8) == 0 ? 2 + luck.nextInt(3) : 1;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < count; i++) bytes.writeBytes(request(luck, index));
        int pieceSize = luck.nextInt(6) == 0 ? 1 + luck.nextInt(50) : 0;
        return new FuzzCase(bytes.toByteArray(), pieceSize, count, ending(luck));
    }

    private static Ending ending(Random luck) {
        return switch (luck.nextInt(30)) {
            case 0, 1 -> Ending.HANG_UP;
            case 2 -> Ending.RESET;
            case 3 -> Ending.HALF_CLOSE;
            default -> Ending.READ;
        };
    }

    private byte[] request(Random luck, int index) {
        Draft draft = valid(luck, index);
        if (luck.nextInt(4) == 0) return draft.bytes(7);
        int changes = luck.nextInt(3);
        for (int i = 0; i < changes; i++) PartMutations.change(draft, luck);
        byte[] bytes = draft.bytes(1 + luck.nextInt(20));
        int spoilings = changes == 0 ? 1 + luck.nextInt(3) : luck.nextInt(2);
        for (int i = 0; i < spoilings; i++) bytes = ByteMutations.change(bytes, luck);
        return bytes;
    }

    private Draft valid(Random luck, int index) {
        Draft draft = new Draft();
        int operation = Math.max(0, index - luck.nextInt(KEY_REACH));
        String key = "fz-" + Long.toHexString(seed) + "-" + operation;
        switch (luck.nextInt(12)) {
            case 0 -> draft.target = "/fuzz/hello";
            case 1 -> draft.method = "HEAD";
            case 2 -> draft.target = "/.semel/v1/keys/" + key + "?operation=POST%20/fuzz/charges";
            case 3 -> draft.target = "/.well-known/idempotency";
            case 4 -> charge(draft, "PUT", operation);
            case 5 -> charge(draft, "POST", operation);
            default -> {
                charge(draft, luck.nextInt(5) == 0 ? "PATCH" : "POST", operation);
                draft.key(luck.nextInt(4) == 0 ? "\"" + key + "\"" : key);
                draft.chunked = luck.nextInt(3) == 0;
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
