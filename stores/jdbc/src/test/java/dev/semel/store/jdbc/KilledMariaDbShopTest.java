package dev.semel.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** On MariaDB, joined to the shop's transactions. */
@ExtendWith(SharedMariaDb.class)
class KilledMariaDbShopTest extends KilledShop {
    @Override
    String freshDatabase() throws SQLException {
        return SharedMariaDb.freshDatabase();
    }

    @Override
    int port() {
        return SharedMariaDb.port();
    }

    @Override
    List<String> unequal() throws SQLException {
        return sql.rows("""
            select name, count(*), min(state) from (
                select convert(name using utf8mb4) as name, state from sale
                    left join semel_key on client_key = convert(name using binary) and operation = 'joined'
                union all
                select convert(client_key using utf8mb4), 9 from semel_key
                    where operation = 'joined' and convert(client_key using utf8mb4) not in (select name from sale)
            ) as each_sale
            where name like 'joined-%' group by name having count(*) <> 1 or min(coalesce(state, 0)) <> 2
            """);
    }

    @Override
    List<String> recorded(String operation, String key, String receipt) throws SQLException {
        return sql.rows("select state, if(locate('" + receipt + "', convert(outcome using utf8mb4)) > 0, 't', 'f')"
                + " from semel_key where operation = '" + operation + "' and client_key = '" + key + "'");
    }

    @Test
    void joined_effects_are_as_many_as_keys_wherever_a_process_dies() throws Exception {
        open(JoiningBug.NONE);
        for (int round = 0; round < Math.ceilDiv(ROUNDS, 2); round++) joinedRound(round, any(CrashPoint.JOINED));
        assertEquals(List.of(), unequal());
        assertEquals("0", sql.one("select count(*) from semel_joining"));
    }
}
