package dev.semel.store.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What the server runs as one step. Each names one key, the record's, so that it is never refused for want of another
 * while a slot is being moved; the outcome's name is made from it, and is in the same slot. Each begins its answer with the
 * time, eight bytes of microseconds. The record is written last, and nothing that may fail follows: a script that ends
 * with an error has not changed it.
 */
enum Script {
    /** KEYS: record. Gives the time; and the record and its outcome, if there is one. */
    FIND("""
        local t = redis.call('TIME')
        local now = struct.pack('>I8', t[1] * 1000000 + t[2])
        local found = redis.call('GET', KEYS[1])
        if not found then return {now} end
        local outcome = redis.pcall('GET', KEYS[1] .. ':o')
        return {now, found, type(outcome) == 'string' and outcome}
        """),

    /** KEYS: record. ARGV: version, body. Gives the time; and what was there before, if anything was. */
    INSERT("""
        local t = redis.call('TIME')
        local now = struct.pack('>I8', t[1] * 1000000 + t[2])
        local found = redis.call('GET', KEYS[1])
        if not found then
          redis.call('SET', KEYS[1], ARGV[1] .. now .. now .. ARGV[2])
          return {now}
        end
        local outcome = redis.pcall('GET', KEYS[1] .. ':o')
        return {now, found, type(outcome) == 'string' and outcome}
        """),

    /**
     * KEYS: record. ARGV: revision seen, version and new revision, body, how many bytes of the body are the id, ms until the
     * record goes or nothing, outcome, ms until the outcome goes or nothing, whether others wait for this. Gives the time;
     * and 1 if it was written, or what is there instead, if anything is.
     */
    REPLACE("""
        local t = redis.call('TIME')
        local now = struct.pack('>I8', t[1] * 1000000 + t[2])
        local found = redis.call('GET', KEYS[1])
        if not found then return {now} end
        local id = tonumber(ARGV[4])
        if found:sub(2, 9) ~= ARGV[1] or found:sub(18, 17 + id) ~= ARGV[3]:sub(1, id) then
          local outcome = redis.pcall('GET', KEYS[1] .. ':o')
          return {now, found, type(outcome) == 'string' and outcome}
        end
        if ARGV[7] ~= '' then redis.call('SET', KEYS[1] .. ':o', ARGV[6], 'PX', ARGV[7]) end
        local record = ARGV[2] .. now .. ARGV[3]
        if ARGV[5] == '' then
          redis.call('SET', KEYS[1], record)
        else
          redis.call('SET', KEYS[1], record, 'PX', ARGV[5])
        end
        if ARGV[8] == '1' then redis.pcall('SPUBLISH', KEYS[1], '') end
        return {now, 1}
        """),

    /** KEYS: record. ARGV: the record as it was seen, what is left of it or nothing. Gives the time; and 1 if it was done. */
    CLEAN("""
        local t = redis.call('TIME')
        local now = struct.pack('>I8', t[1] * 1000000 + t[2])
        if redis.call('GET', KEYS[1]) ~= ARGV[1] then return {now} end
        if ARGV[2] == '' then
          redis.pcall('UNLINK', KEYS[1] .. ':o')
          redis.call('UNLINK', KEYS[1])
        else
          redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
        end
        return {now, 1}
        """);

    private final String text;
    private final String sha;

    Script(String text) {
        this.text = text;
        this.sha = sha(text.getBytes(UTF_8));
    }

    String text() {
        return text;
    }

    /** What the server knows it by once it has seen it. */
    String sha() {
        return sha;
    }

    private static String sha(byte[] text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(text));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-1.", e);
        }
    }
}
