package dev.semel.http.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DecimalTest {

    @ParameterizedTest
    @CsvSource(textBlock = """
        0000000000000000, 0
        8000000000000000, 0
        0000000000000001, 5e-324
        8000000000000001, -5e-324
        7fefffffffffffff, 1.7976931348623157e+308
        ffefffffffffffff, -1.7976931348623157e+308
        4340000000000000, 9007199254740992
        c340000000000000, -9007199254740992
        4430000000000000, 295147905179352830000
        44b52d02c7e14af5, 9.999999999999997e+22
        44b52d02c7e14af6, 1e+23
        44b52d02c7e14af7, 1.0000000000000001e+23
        444b1ae4d6e2ef4e, 999999999999999700000
        444b1ae4d6e2ef4f, 999999999999999900000
        444b1ae4d6e2ef50, 1e+21
        3eb0c6f7a0b5ed8c, 9.999999999999997e-7
        3eb0c6f7a0b5ed8d, 0.000001
        41b3de4355555553, 333333333.3333332
        41b3de4355555554, 333333333.33333325
        41b3de4355555555, 333333333.3333333
        41b3de4355555556, 333333333.3333334
        41b3de4355555557, 333333333.33333343
        becbf647612f3696, -0.0000033333333333333333
        43143ff3c1cb0959, 1424953923781206.2
        """)
    void doubles_are_written_as_appendix_b_of_rfc_8785_says(String bits, String expected) {
        double value = Double.longBitsToDouble(Long.parseUnsignedLong(bits, 16));
        assertEquals(expected, Decimal.shortest(value).toString());
        assertTrue(Decimal.of(expected).isExactAsDouble());
    }

    @Test
    void random_doubles_are_written_as_trying_out_all_decimals_says() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 5_000; round++) {
            double value = Double.longBitsToDouble(random.nextLong());
            if (Double.isFinite(value) && value != 0) assertShortest(value, "seed " + seed);
        }
    }

    @Test
    void the_smallest_doubles_are_written_as_trying_out_all_decimals_says() {
        for (long bits = 1; bits < 1_500; bits++) assertShortest(Double.longBitsToDouble(bits), "");
        for (int shift = 0; shift < 2046; shift++)
            for (int next = -1; next <= 1; next++)
                if (((long) shift << 52) + next > 0)
                    assertShortest(Double.longBitsToDouble(((long) shift << 52) + next), "");
    }

    private static void assertShortest(double value, String seed) {
        assertEquals(
                PlainJson.ecma(PlainJson.shortest(value)),
                Decimal.shortest(value).toString(),
                () -> seed + " " + value);
    }

    @Test
    void few_digits_are_exact_and_many_are_not_exactly_as_the_long_way_round_says() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 5_000; round++) {
            String digits = new BigInteger(1 + random.nextInt(70), random).toString();
            String spelled = digits + "e" + (random.nextInt(700) - 370);
            BigDecimal exact = new BigDecimal(spelled);
            double nearest = exact.doubleValue();
            boolean expected = exact.signum() == 0
                    || (nearest != 0
                            && Double.isFinite(nearest)
                            && PlainJson.shortest(nearest).compareTo(exact) == 0);
            assertEquals(expected, Decimal.of(spelled).isExactAsDouble(), () -> "seed " + seed + " " + spelled);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "9007199254740993",
                "12345678901234567890",
                "0.1000000000000000055511151231257827",
                "333333333.33333329",
                "4.9e-324",
                "295147905179352825856",
                "1e309",
                "-1e309",
                "1e999999999",
                "1e99999999999999999999",
                "1e-324",
                "1e-999999999",
                "1e-99999999999999999999"
            })
    void what_a_double_rounds_is_not_exact(String spelled) {
        assertFalse(Decimal.of(spelled).isExactAsDouble());
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
        -0, 0
        -0.000e-99999999999999999999, 0
        0e99999999999999999999, 0
        1E00000000000000000000000002, 100
        0.00100, 0.001
        10.50e1, 105
        -1e-7, -1e-7
        """)
    void spellings_do_not_matter(String spelled, String expected) {
        assertEquals(expected, Decimal.of(spelled).toString());
    }
}
