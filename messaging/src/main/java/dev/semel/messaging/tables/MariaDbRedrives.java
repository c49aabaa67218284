package dev.semel.messaging.tables;

import dev.semel.messaging.letter.LetterFilter;
import dev.semel.messaging.letter.Redrive;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;

/** Redrives as MariaDB tells them. */
final class MariaDbRedrives {
    private MariaDbRedrives() {}

    static Redrive read(ResultSet row) throws SQLException {
        LetterFilter filter = new LetterFilter(
                MariaDbStatement.text(row, "topic"),
                MariaDbStatement.text(row, "message_key"),
                MariaDbStatement.text(row, "type"),
                MariaDbStatement.text(row, "kind"),
                MariaDbStatement.text(row, "error"),
                MariaDbStatement.instant(row, "parked_after"),
                MariaDbStatement.instant(row, "parked_before"));
        return new Redrive(
                row.getLong("id"),
                Redrive.State.valueOf(MariaDbRows.required(MariaDbStatement.text(row, "state"))
                        .toUpperCase(Locale.ROOT)),
                MariaDbRows.required(MariaDbStatement.instant(row, "begun_at")),
                MariaDbRows.required(MariaDbStatement.text(row, "by_whom")),
                MariaDbRows.required(MariaDbStatement.text(row, "reason")),
                filter,
                new Redrive.Pace(row.getInt("per_second"), row.getInt("canary")),
                row.getLong("chosen"),
                row.getLong("open"),
                row.getLong("refused"),
                MariaDbStatement.text(row, "note"));
    }
}
