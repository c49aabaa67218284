package dev.semel.store.dynamodb;

import dev.semel.core.store.StoreTraits.Forgetting;
import dev.semel.core.store.StoreTraits.Survives;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.MultiRegionConsistency;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;

/**
 * Whether a table can keep what it is to be promised, and what follows from how it is set up.
 *
 * @param survives what a write in it survives
 * @param forgetting whether the server deletes what is forgotten
 * @param bytes how large it is, about: the server counts every few hours
 */
record TableCheck(Survives survives, Forgetting forgetting, long bytes) {
    /** A table of DynamoDB itself has the account of its owner in its name; those of its likenesses have none, or zeros. */
    private static final Pattern OF_AWS = Pattern.compile("arn:aws[a-z-]*:dynamodb:[^:]*:(?!0{12})\\d{12}:table/.*");

    /** @throws IllegalStateException when the table cannot be used, with what to do */
    static TableCheck of(TableDescription table, TimeToLiveDescription ttl, DynamoDbOptions options) {
        requireKey(table);
        if (table.tableStatus() == TableStatus.DELETING || table.tableStatus() == TableStatus.ARCHIVED)
            throw unusable(table, "it is " + table.tableStatusAsString().toLowerCase(Locale.ROOT));
        if (isEventuallyGlobal(table) && !options.acceptLoss())
            throw unusable(
                    table,
                    "it is a global table whose regions do not see each other's writes at once, so a key could run"
                        + " once in each, and a fail-over loses the last writes. Use multi-Region strong consistency"
                        + " or a table of one region; or, if all writers are in one region, say accept-loss=true");
        boolean expires = isOn(ttl);
        if (!expires && options.sweepUnits() == 0)
            throw unusable(
                    table,
                    "nothing would ever be forgotten: its TTL is off and so is the sweep. Turn TTL on for the"
                            + " attribute '"
                            + Attribute.TTL + "', or leave out sweep=off");
        return new TableCheck(
                isOfAws(table) ? Survives.NODE_LOSS : Survives.PROCESS_DEATH,
                expires ? Forgetting.SERVER : Forgetting.SWEEP,
                table.tableSizeBytes() == null ? 0 : table.tableSizeBytes());
    }

    private static void requireKey(TableDescription table) {
        List<KeySchemaElement> key = table.keySchema();
        boolean fits = key.size() == 1
                && key.getFirst().keyType() == KeyType.HASH
                && key.getFirst().attributeName().equals(Attribute.ID)
                && table.attributeDefinitions().stream()
                        .anyMatch(it ->
                                it.attributeName().equals(Attribute.ID) && it.attributeType() == ScalarAttributeType.B);
        if (!fits)
            throw unusable(
                    table,
                    "it was not made for Semel. Its key must be a partition key '" + Attribute.ID
                            + "' of type binary, without a sort key. Name another table; create=true makes it");
    }

    private static boolean isEventuallyGlobal(TableDescription table) {
        return table.hasReplicas()
                && !table.replicas().isEmpty()
                && table.multiRegionConsistency() != MultiRegionConsistency.STRONG;
    }

    static boolean isOn(TimeToLiveDescription ttl) {
        TimeToLiveStatus status = ttl.timeToLiveStatus();
        return (status == TimeToLiveStatus.ENABLED || status == TimeToLiveStatus.ENABLING)
                && Attribute.TTL.equals(ttl.attributeName());
    }

    private static boolean isOfAws(TableDescription table) {
        return table.tableArn() != null && OF_AWS.matcher(table.tableArn()).matches();
    }

    private static IllegalStateException unusable(TableDescription table, String why) {
        return new IllegalStateException("The DynamoDB table '" + table.tableName() + "' cannot be used: " + why + ".");
    }
}
