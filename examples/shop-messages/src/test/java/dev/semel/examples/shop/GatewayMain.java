package dev.semel.examples.shop;

import dev.semel.gateway.Gateway;
import dev.semel.gateway.config.ConfigReader;
import dev.semel.store.rocksdb.RocksKeyStore;
import java.util.concurrent.CountDownLatch;

/** A gateway as a process. */
final class GatewayMain {
    private GatewayMain() {}

    /** @param arguments its port, that of its listener for operators, that of the shop, and the folder for its keys */
    public static void main(String[] arguments) throws InterruptedException {
        String yaml = """
            listen: 127.0.0.1:%s
            admin: { listen: 127.0.0.1:%s }
            upstream: { url: "http://127.0.0.1:%s" }
            routes:
              - match: POST /v1/orders
                key: required
                guarantee: at-least-once   # the shop places an order once, however often it is asked
                statuses: 2xx-only
                lease: 2s
            """.formatted(arguments[0], arguments[1], arguments[2]);
        switch (ConfigReader.read(yaml, "semel.yml", name -> null, null)) {
            case ConfigReader.Result.Valid(var config) ->
                Gateway.start(config, RocksKeyStore.open("rocksdb:" + arguments[3]));
            case ConfigReader.Result.Invalid(var problems) ->
                throw new IllegalArgumentException(problems + "\n" + yaml);
        }
        new CountDownLatch(1).await();
    }
}
