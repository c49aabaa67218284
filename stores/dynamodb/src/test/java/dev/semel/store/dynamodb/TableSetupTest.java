package dev.semel.store.dynamodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.store.StoreTraits;
import dev.semel.core.store.StoreTraits.Forgetting;
import dev.semel.core.store.StoreTraits.LeaseClock;
import dev.semel.core.store.StoreTraits.Survives;
import dev.semel.testkit.StoreScene;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.MultiRegionConsistency;
import software.amazon.awssdk.services.dynamodb.model.ReplicaDescription;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;

@ExtendWith(SharedServer.class)
class TableSetupTest {
    private static final String ARN = "arn:aws:dynamodb:eu-central-1:123456789012:table/keys";
    private static final TimeToLiveDescription ON = TimeToLiveDescription.builder()
            .timeToLiveStatus(TimeToLiveStatus.ENABLED)
            .attributeName("ttl")
            .build();
    private static final TimeToLiveDescription OFF = TimeToLiveDescription.builder()
            .timeToLiveStatus(TimeToLiveStatus.DISABLED)
            .build();

    private final URI server = SharedServer.get().endpoint();

    private static IllegalStateException refused(String url) {
        return assertThrows(IllegalStateException.class, () -> DynamoDbKeyStore.open(url));
    }

    @Test
    void a_missing_table_is_made_only_when_that_was_said() {
        String url = Tables.url(server, Tables.freshName());
        assertTrue(refused(url).getMessage().contains("create=true"));
        assertTrue(refused(url + "&create=false").getMessage().contains("There is no DynamoDB table"));
        try (DynamoDbKeyStore made = DynamoDbKeyStore.open(url + "&create=true")) {
            Keys.insert(made, Keys.id("k"));
        }
        try (DynamoDbKeyStore found = DynamoDbKeyStore.open(url)) {
            assertEquals(Keys.id("k"), found.find(Keys.id("k")).record().id());
        }
    }

    @Test
    void a_table_that_is_made_is_on_demand_and_forgets_by_itself() {
        String table = Tables.freshName();
        try (DynamoDbKeyStore made = DynamoDbKeyStore.open(Tables.url(server, table) + "&create=true");
                DynamoDbClient raw = Tables.client(server)) {
            assertEquals(Forgetting.SERVER, made.traits().forgetting());
            assertEquals(
                    BillingMode.PAY_PER_REQUEST,
                    raw.describeTable(request -> request.tableName(table))
                            .table()
                            .billingModeSummary()
                            .billingMode());
            assertEquals(
                    "ttl",
                    raw.describeTimeToLive(request -> request.tableName(table))
                            .timeToLiveDescription()
                            .attributeName());
        }
    }

    @Test
    void processes_that_start_at_the_same_time_make_one_table() throws Exception {
        String url = Tables.url(server, Tables.freshName()) + "&create=true";
        for (DynamoDbKeyStore each : StoreScene.together(8, i -> DynamoDbKeyStore.open(url))) each.close();
    }

    @Test
    void a_table_of_someone_else_is_not_touched() {
        String table = Tables.freshName();
        try (DynamoDbClient raw = Tables.client(server)) {
            Tables.create(raw, table, ScalarAttributeType.S);
        }
        assertTrue(
                refused(Tables.url(server, table) + "&create=true").getMessage().contains("partition key 'id'"));
    }

    @Test
    void without_ttl_the_sweep_forgets_and_without_both_the_store_does_not_open() {
        String url = Tables.url(server, Tables.withoutTtl(server));
        try (DynamoDbKeyStore swept = DynamoDbKeyStore.open(url)) {
            assertEquals(Forgetting.SWEEP, swept.traits().forgetting());
        }
        assertTrue(refused(url + "&sweep=off").getMessage().contains("nothing would ever be forgotten"));
    }

    @Test
    void the_traits_are_what_this_table_can_do() {
        String url = Tables.url(server, Tables.withoutTtl(server));
        try (DynamoDbKeyStore store = DynamoDbKeyStore.open(url);
                DynamoDbKeyStore other = DynamoDbKeyStore.open(url + "&skew=1500ms")) {
            assertEquals(
                    StoreTraits.surviving(Survives.PROCESS_DEATH)
                            .withClock(LeaseClock.CLIENTS)
                            .withSkew(Duration.ofSeconds(10))
                            .withLargestOutcome(336 * 1024)
                            .withoutCounting(),
                    store.traits());
            assertEquals(Duration.ofMillis(1500), other.traits().skew());
        }
    }

    private static TableDescription.Builder onAws() {
        return TableDescription.builder()
                .tableName("keys")
                .tableArn(ARN)
                .tableStatus(TableStatus.ACTIVE)
                .tableSizeBytes(7L)
                .attributeDefinitions(List.of(AttributeDefinition.builder()
                        .attributeName("id")
                        .attributeType(ScalarAttributeType.B)
                        .build()))
                .keySchema(KeySchemaElement.builder()
                        .attributeName("id")
                        .keyType(KeyType.HASH)
                        .build());
    }

    @Test
    void on_dynamodb_itself_a_write_survives_the_loss_of_a_node() {
        TableCheck check = TableCheck.of(onAws().build(), ON, DynamoDbOptions.DEFAULT);
        assertEquals(new TableCheck(Survives.NODE_LOSS, Forgetting.SERVER, 7), check);
        for (String arn : List.of(
                "arn:aws:dynamodb:ddblocal:000000000000:table/keys",
                "arn:aws:dynamodb:eu-central-1:000000000000:table/keys",
                "arn:scylla:alternator:alternator:scylla:table/keys"))
            assertEquals(
                    Survives.PROCESS_DEATH,
                    TableCheck.of(onAws().tableArn(arn).build(), OFF, DynamoDbOptions.DEFAULT)
                            .survives(),
                    arn);
    }

    @Test
    void a_global_table_whose_regions_differ_for_a_while_is_refused_unless_that_was_accepted() {
        ReplicaDescription elsewhere =
                ReplicaDescription.builder().regionName("eu-west-1").build();
        TableDescription eventual = onAws().replicas(elsewhere)
                .multiRegionConsistency(MultiRegionConsistency.EVENTUAL)
                .build();
        IllegalStateException refused =
                assertThrows(IllegalStateException.class, () -> TableCheck.of(eventual, ON, DynamoDbOptions.DEFAULT));
        assertTrue(refused.getMessage().contains("accept-loss=true"), refused.getMessage());
        TableCheck.of(eventual, ON, DynamoDbOptions.DEFAULT.withAcceptLoss(true));
        TableDescription strong = onAws().replicas(elsewhere)
                .multiRegionConsistency(MultiRegionConsistency.STRONG)
                .build();
        TableCheck.of(strong, OFF, DynamoDbOptions.DEFAULT);
    }

    @Test
    void ttl_on_another_attribute_forgets_nothing_of_ours() {
        TimeToLiveDescription other = ON.toBuilder().attributeName("expires").build();
        assertEquals(
                Forgetting.SWEEP,
                TableCheck.of(onAws().build(), other, DynamoDbOptions.DEFAULT).forgetting());
    }
}
