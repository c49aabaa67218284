package dev.semel.examples.service;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Charges a card once, however often and in however many processes it is run: {@code SEMEL PAYMENTS KEY AMOUNT}. */
public final class ServiceExample {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private ServiceExample() {}

    public static void main(String[] args) throws Exception {
        System.out.println(charge(URI.create(args[0]), URI.create(args[1]), args[2], Long.parseLong(args[3])));
    }

    /** @return what the payment service answered the one time that it was asked */
    public static String charge(URI semel, URI payments, String key, long amount) throws Exception {
        String order = "{\"amount\":" + amount + ",\"currency\":\"eur\",\"customer\":\"c_1\"}";
        return once(semel + "/.semel/v1/claims", "charge", key, order, () -> {
            HttpResponse<String> answer = send("POST", payments + "/v1/charges", order);
            return "{\"status\":" + answer.statusCode() + ",\"charge\":" + answer.body() + "}";
        });
    }

    /** Runs the effect if nobody has, and gives the outcome of the one time that it ran, as JSON. */
    private static String once(String claims, String operation, String key, String payload, Callable<String> effect)
            throws Exception {
        String names = "{\"operation\":\"" + operation + "\",\"key\":\"" + key + "\",\"payload\":" + payload;
        HttpResponse<String> claim = insist("POST", claims, names + ",\"lease\":\"10s\",\"wait\":\"10s\"}");
        return switch (claim.statusCode()) {
            case 200 -> find("\\{\"outcome\":(.*)}", claim.body());
            case 201 -> hold(claims + "/" + find("\"id\":\"(.+?)\"", claim.body()), claim.body(), effect);
            default -> throw new IOException(claim.body());
        };
    }

    private static String hold(String claim, String granted, Callable<String> effect) throws Exception {
        String token = "{\"token\":" + find("\"token\":(\\d+)", granted);
        Thread alive = Thread.startVirtualThread(() -> renew(claim, token));
        try {
            String outcome = effect.call();
            HttpResponse<String> told = insist("PUT", claim + "/outcome", token + ",\"outcome\":" + outcome + "}");
            if (told.statusCode() != 200) throw new IOException(told.body());
            return outcome;
        } catch (Exception failure) {
            insist("POST", claim + "/doubt", token + ",\"reason\":\"the charge may have been made\"}");
            throw failure;
        } finally {
            alive.interrupt();
        }
    }

    private static void renew(String claim, String token) {
        try {
            while (true) {
                TimeUnit.SECONDS.sleep(3);
                insist("POST", claim + "/renew", token + ",\"lease\":\"10s\"}");
            }
        } catch (InterruptedException ended) {
            // The operation is over.
        }
    }

    /** Asks again as long as nobody answers, or the answer says that it helps. */
    private static HttpResponse<String> insist(String method, String url, String json) throws InterruptedException {
        while (true) {
            long pause = 1;
            try {
                HttpResponse<String> answer = send(method, url, json);
                pause = answer.headers().firstValueAsLong("Retry-After").orElse(0);
                if (pause == 0) return answer;
            } catch (IOException unreachable) {
                // Nobody answered.
            }
            TimeUnit.SECONDS.sleep(pause);
        }
    }

    private static HttpResponse<String> send(String method, String url, String json)
            throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(url)).header("Content-Type", "application/json");
        return HTTP.send(request.method(method, BodyPublishers.ofString(json)).build(), BodyHandlers.ofString());
    }

    private static String find(String pattern, String json) {
        Matcher matcher = Pattern.compile(pattern, Pattern.DOTALL).matcher(json);
        if (!matcher.find()) throw new IllegalArgumentException("No " + pattern + " in " + json);
        return matcher.group(1);
    }
}
