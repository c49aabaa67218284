package dev.semel.examples.plain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.KeyReusedException;
import dev.semel.core.OutcomeUnknownException;
import dev.semel.core.Semel;
import dev.semel.examples.plain.Shop.CardDeclined;
import dev.semel.examples.plain.Shop.Charge;
import dev.semel.examples.plain.Shop.Receipt;
import dev.semel.store.rocksdb.RocksKeyStore;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShopTest {
    private static final Charge TEN = new Charge("card-1", BigDecimal.TEN);

    @TempDir
    Path folder;

    private final AtomicInteger charged = new AtomicInteger();

    private Receipt pay(Charge charge, String key) {
        return new Receipt("r-" + charged.incrementAndGet());
    }

    @Test
    void a_card_is_charged_once_by_many_at_once_and_also_after_a_restart() throws Exception {
        try (RocksKeyStore store = RocksKeyStore.open("rocksdb:" + folder);
                Semel semel = Semel.on(store).start();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Shop shop = new Shop(semel, this::pay);
            Callable<Receipt> payment = () -> shop.pay("o-1", TEN);
            List<Future<Receipt>> receipts = new ArrayList<>();
            for (int i = 0; i < 20; i++) receipts.add(threads.submit(payment));
            for (Future<Receipt> receipt : receipts) assertEquals(new Receipt("r-1"), receipt.get());
            assertThrows(KeyReusedException.class, () -> shop.pay("o-1", new Charge("card-1", BigDecimal.ONE)));
        }
        try (RocksKeyStore store = RocksKeyStore.open("rocksdb:" + folder);
                Semel semel = Semel.on(store).start()) {
            assertEquals(new Receipt("r-1"), new Shop(semel, this::pay).pay("o-1", TEN));
        }
        assertEquals(1, charged.get());
    }

    @Test
    void a_declined_card_stays_declined_and_a_lost_answer_is_not_taken_for_a_no() throws Exception {
        try (RocksKeyStore store = RocksKeyStore.open("rocksdb:" + folder);
                Semel semel = Semel.on(store).start()) {
            Shop declining = new Shop(semel, (charge, key) -> {
                throw new CardDeclined("no funds");
            });
            Shop losing = new Shop(semel, (charge, key) -> {
                throw new UncheckedIOException(new SocketTimeoutException("no answer"));
            });
            Shop working = new Shop(semel, this::pay);
            assertThrows(CardDeclined.class, () -> declining.pay("o-1", TEN));
            assertEquals(
                    "no funds",
                    assertThrows(CardDeclined.class, () -> working.pay("o-1", TEN))
                            .getMessage());
            assertThrows(UncheckedIOException.class, () -> losing.pay("o-2", TEN));
            assertThrows(OutcomeUnknownException.class, () -> working.pay("o-2", TEN));
            assertEquals(0, charged.get());
        }
    }

    /** What the README shows is this very code. */
    @Test
    void the_readme_quotes_it() throws Exception {
        Path root = Path.of(System.getProperty("semel.root", "../.."));
        String source = Files.readString(
                root.resolve("examples/payments-plain/src/main/java/dev/semel/examples/plain/Shop.java"));
        String readme = squeezed(Files.readString(root.resolve("README.md")));
        Matcher quoted =
                Pattern.compile("// README\n(.*?)// end", Pattern.DOTALL).matcher(source);
        int quotes = 0;
        for (; quoted.find(); quotes++) {
            String code = squeezed(quoted.group(1).replace("this.charge = ", "").replace("return ", ""));
            assertTrue(readme.contains(code), () -> "the README does not have: " + code);
        }
        assertEquals(2, quotes);
    }

    private static String squeezed(String text) {
        return text.replaceAll("\\s+", "");
    }
}
