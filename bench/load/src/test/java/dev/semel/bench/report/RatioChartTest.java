package dev.semel.bench.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

final class RatioChartTest {
    @Test
    void every_ratio_has_a_bar_and_every_target_a_mark() throws Exception {
        Document svg = parsed(RatioChart.of(List.of(ReportFileTest.report())));
        assertEquals(2, count(svg.getElementsByTagName("rect"), "bar") - 1);
        assertEquals(1, count(svg.getElementsByTagName("line"), "target") - 1);
        assertEquals(0, count(svg.getElementsByTagName("rect"), "missed") - 1);
    }

    private static Document parsed(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(UTF_8)));
    }

    private static int count(NodeList elements, String kind) {
        int found = 0;
        for (int i = 0; i < elements.getLength(); i++) {
            String name = elements.item(i).getAttributes().getNamedItem("class").getNodeValue();
            if (name.equals(kind)) found++;
        }
        return found;
    }
}
