package dev.semel.testkit.http;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a program says to the service API: it claims a key, and says of a claim that was granted what became of it. */
final class ServiceCalls {
    private static final Pattern TOKEN = Pattern.compile("\"token\"\\s*:\\s*([0-9]+)");
    private static final RawRequest CLAIMS = RawRequest.post("/.semel/v1/claims");

    private ServiceCalls() {}

    /** Claims the key of the scenario for a charge of so much. */
    static Call claim(int amount) {
        return claim(amount, "");
    }

    /** @param more further members, each after a comma */
    static Call claim(int amount, String more) {
        return claim(
                "{\"operation\":\"charge\",\"key\":\"{key}\",\"payload\":{\"amount\":" + amount + "}" + more + "}");
    }

    static Call claim(String body) {
        return scene -> CLAIMS.json(scene.fill(body));
    }

    static Call complete(int granted, String outcome) {
        return scene -> toThe(granted, "/outcome", scene)
                .withMethod("PUT")
                .json("{\"token\":" + token(granted, scene) + ",\"outcome\":" + outcome + "}");
    }

    static Call renew(int granted) {
        return scene -> toThe(granted, "/renew", scene).json("{\"token\":" + token(granted, scene) + "}");
    }

    static Call doubt(int granted, String reason) {
        return scene -> toThe(granted, "/doubt", scene)
                .json("{\"token\":" + token(granted, scene) + ",\"reason\":\"" + reason + "\"}");
    }

    static Call release(int granted) {
        return scene -> RawRequest.get(place(granted, scene) + "?token=" + token(granted, scene))
                .withMethod("DELETE");
    }

    /** The same call by a tenant of the scenario. */
    static Call by(String tenant, Call call) {
        return scene -> call.in(scene).by(tenant);
    }

    private static RawRequest toThe(int granted, String word, Scene scene) {
        return RawRequest.post(place(granted, scene) + word);
    }

    private static String place(int granted, Scene scene) {
        return String.valueOf(scene.response(granted).headers().first("Location"));
    }

    private static String token(int granted, Scene scene) {
        Matcher token = TOKEN.matcher(scene.response(granted).text());
        if (!token.find()) throw new AssertionError("no token in answer " + granted);
        return token.group(1);
    }
}
