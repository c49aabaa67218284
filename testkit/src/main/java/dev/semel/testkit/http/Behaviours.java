package dev.semel.testkit.http;

import java.io.IOException;
import java.util.Map;

/** What the upstream can do, by name. Most of them have an effect, and then differ in what becomes of the answer. */
final class Behaviours {
    interface Behaviour {
        void serve(UpstreamCall call) throws IOException;
    }

    private static final Map<String, Behaviour> ALL = Map.ofEntries(
            Map.entry("hello", call -> call.answer(200, Fields.of("X-Plain", "yes"), Bytes.utf8("hello"))),
            Map.entry("charges", FullAnswers::charge),
            Map.entry("status", FullAnswers::status),
            Map.entry("outcome", FullAnswers::outcome),
            Map.entry("proxied", ProxiedAnswers::serve),
            Map.entry("refuse-once", FullAnswers::refuseOnce),
            Map.entry("binary", FullAnswers::binary),
            Map.entry("chunked", FullAnswers::chunked),
            Map.entry("until-close", FullAnswers::untilClose),
            Map.entry("answers-and-leaves", FullAnswers::answersAndLeaves),
            Map.entry("gzip", FullAnswers::gzip),
            Map.entry("odd-headers", FullAnswers::oddHeaders),
            Map.entry("imitates", FullAnswers::imitates),
            Map.entry("hints", FullAnswers::hints),
            Map.entry("early", FullAnswers::early),
            Map.entry("big", FullAnswers::big),
            Map.entry("big-half", LostAnswers::bigHalf),
            Map.entry("gate", FullAnswers::gate),
            Map.entry("refuse-at-gate", FullAnswers::refuseAtGate),
            Map.entry("dies-at-gate", LostAnswers::diesAtGate),
            Map.entry("probe", Probes::one),
            Map.entry("probe-list", Probes::list),
            Map.entry("probe-busy", Probes::busy),
            Map.entry("stream", FullAnswers::stream),
            Map.entry("never", LostAnswers::never),
            Map.entry("stalls", LostAnswers::stalls),
            Map.entry("dies-before", LostAnswers::diesBefore),
            Map.entry("dies-in-body", LostAnswers::diesInBody),
            Map.entry("dies-after", LostAnswers::diesAfter),
            Map.entry("resets-after", LostAnswers::resetsAfter),
            Map.entry("half-head", LostAnswers::halfHead),
            Map.entry("half-answer", LostAnswers::halfAnswer),
            Map.entry("short-answer", LostAnswers::shortAnswer),
            Map.entry("half-chunks", LostAnswers::halfChunks),
            Map.entry("rubbish", LostAnswers::rubbish),
            Map.entry("trickles", BadAnswers::trickles),
            Map.entry("trickles-head", BadAnswers::tricklesHead),
            Map.entry("trickles-a-lot", BadAnswers::tricklesALot),
            Map.entry("always-continues", BadAnswers::alwaysContinues),
            Map.entry("continues-first", BadAnswers::continuesFirst),
            Map.entry("early-and-leaves", BadAnswers::earlyAndLeaves),
            Map.entry("says-more", BadAnswers::saysMore),
            Map.entry("longer-than-said", BadAnswers::longerThanSaid),
            Map.entry("endless-headers", BadAnswers::endlessHeaders),
            Map.entry("endless-header", BadAnswers::endlessHeader),
            Map.entry("endless-status-line", BadAnswers::endlessStatusLine),
            Map.entry("endless-chunk-extension", BadAnswers::endlessChunkExtension),
            Map.entry("raw", BadAnswers::raw));

    private Behaviours() {}

    static Behaviour named(String name) {
        return ALL.getOrDefault(name, call -> call.answerJson(404, "{\"error\":\"no such behaviour\"}"));
    }
}
