package dev.semel.http.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonSliceTest {
    private static JsonSlice slice(String document, String pointer) {
        return JsonSlice.of(document.getBytes(StandardCharsets.UTF_8), pointer);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"data\": [ {\"id\": 1.50, \"é\": \"漢\"} ]} | /data/0 | {\"id\": 1.50, \"é\": \"漢\"}",
                "{\"é\":0,\"a\":{\"b\":[1,2,3]}} | /a/b/1 | 2",
                "{\"a\": -1e3 } | /a | -1e3",
                "{\"a\":\"x\\ny\"} | /a | \"x\\ny\"",
                "{\"a\":true} | /a | true",
                "[[],{}] | /1 | {}",
                "{\"a\":1,\"a\":2} | /a | 2",
            })
    void a_value_is_cut_out_as_it_stands(String document, String pointer, String value) {
        byte[] cut =
                assertInstanceOf(JsonSlice.Cut.class, slice(document, pointer)).json();
        assertEquals(value, new String(cut, StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {"{\"data\":[]} | /data/0", "{\"data\":{}} | /data/id", "{} | /id", "[1] | /7"})
    void what_should_hold_it_and_does_not_is_empty(String document, String pointer) {
        assertInstanceOf(JsonSlice.Empty.class, slice(document, pointer));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"error\":\"rate limited\"} | /data/0",
                "{\"data\":null} | /data/0",
                "{\"data\":[null]} | /data/0",
                "{\"data\":\"text\"} | /data/0",
                "17 | /data/0"
            })
    void a_document_without_such_a_place_says_nothing(String document, String pointer) {
        assertInstanceOf(JsonSlice.Nothing.class, slice(document, pointer));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "{", "{\"data\":[1]", "{\"data\":[1]} x", "nope", "<html>"})
    void what_is_no_json_says_nothing_either(String document) {
        assertInstanceOf(JsonSlice.NoJson.class, slice(document, "/data/0"));
    }
}
