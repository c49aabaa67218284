package dev.semel.testkit.redis;

import java.time.Duration;

/**
 * Lets time pass for records, as the clock of a server cannot be moved. A record has the time of its last write at offset 9
 * and, if its first byte has the highest bit, the time that its state began in its last eight bytes: microseconds, the
 * highest byte first. All other times count from the first of these; what expires by itself has its time from Redis.
 */
final class RecordAge {
    /** Works on a server that is not part of a cluster. */
    private static final String SCRIPT = """
        local by = tonumber(ARGV[1])
        local function back(text, at)
          return text:sub(1, at - 1) .. struct.pack('>I8', struct.unpack('>I8', text, at) - by) .. text:sub(at + 8)
        end
        local function expire(key, at)
          if at > 0 then redis.call('PEXPIREAT', key, at - math.floor(by / 1000)) end
        end
        local cursor = '0'
        repeat
          local page = redis.call('SCAN', cursor, 'MATCH', '*{*', 'COUNT', 1000)
          cursor = page[1]
          for _, key in ipairs(page[2]) do
            local at = redis.call('PEXPIRETIME', key)
            if key:sub(-1) == '}' then
              local record = back(redis.call('GET', key), 10)
              if record:byte(1) >= 128 then record = back(record, #record - 7) end
              redis.call('SET', key, record)
            end
            expire(key, at)
          end
        until cursor == '0'
        """;

    private RecordAge() {}

    static void add(RedisWire wire, Duration by) {
        wire.call("EVAL", SCRIPT, "0", Long.toString(by.toNanos() / 1000));
    }
}
