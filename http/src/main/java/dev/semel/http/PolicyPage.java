package dev.semel.http;

import dev.semel.core.claim.ClaimPolicy;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The published policy for people: one page that needs nothing from elsewhere. */
final class PolicyPage {
    /** Whatever got onto the page, nothing would be loaded or run. */
    static final String CONTENT_SECURITY_POLICY = "default-src 'none'; style-src 'unsafe-inline'";

    private PolicyPage() {}

    static byte[] of(List<PublishedPolicy.Route> routes) {
        StringBuilder cards = new StringBuilder();
        for (PublishedPolicy.Route route : routes) card(route, cards);
        return PAGE.replace("$ROUTES", cards).getBytes(StandardCharsets.UTF_8);
    }

    private static void card(PublishedPolicy.Route route, StringBuilder out) {
        RoutePolicy policy = route.policy();
        String key = PolicyText.of(policy.key());
        out.append("<section><h3><code>")
                .append(escaped(route.pattern().toString()))
                .append("</code> <span class=\"")
                .append(key)
                .append("\">key ")
                .append(key)
                .append("</span></h3>\n");
        if (policy.key() == KeyMode.OFF) out.append("<p>Passes through; keys mean nothing here.</p>\n");
        else facts(policy, out);
        out.append("</section>\n");
    }

    private static void facts(RoutePolicy policy, StringBuilder out) {
        ClaimPolicy claims = policy.claims();
        out.append("<dl>\n");
        fact("guarantee", PolicyText.of(claims.guarantee()), out);
        if (policy.probe() != null) fact("a doubt is ended by", policy.probe().place(), out);
        if (policy.order() != null)
            fact("writes in the order of", policy.order().version().toString(), out);
        if (!policy.keys().source().equals(KeySource.DEFAULT))
            fact("key from", policy.keys().source().toString(), out);
        if (policy.keys().syntax() != null)
            fact("keys must be", policy.keys().syntax().describe(), out);
        if (policy.keys().age() != null)
            fact("keys no older than", DurationText.of(policy.keys().age().max()), out);
        fact("while another attempt runs", PolicyText.inFlight(claims), out);
        fact("answers kept", DurationText.of(claims.retention()), out);
        fact("then late retries refused for", DurationText.of(claims.tombstone()), out);
        fact("counts as dead when silent for", DurationText.of(claims.lease()), out);
        fact("largest request", PolicyText.size(policy.requestLimit()), out);
        fact("largest answer kept", PolicyText.size(policy.responseLimit()), out);
        for (StatusClass verdict : StatusClass.values())
            fact(title(verdict), list(policy.statuses().listed(verdict)), out);
        policy.statuses()
                .distrusted()
                .forEach((status, distrust) -> fact(status + " leaves doubt when", distrust.when(), out));
        if (!policy.fingerprint().excluded().isEmpty())
            fact("not compared", list(policy.fingerprint().excluded()), out);
        out.append("</dl>\n");
    }

    private static String title(StatusClass verdict) {
        return switch (verdict) {
            case STORE -> "statuses replayed";
            case RELEASE -> "statuses that mean: not run";
            case DOUBT -> "statuses that leave doubt";
        };
    }

    private static String list(List<String> texts) {
        return texts.isEmpty() ? "none" : String.join(", ", texts);
    }

    private static void fact(String name, String value, StringBuilder out) {
        out.append("<div><dt>")
                .append(escaped(name))
                .append("</dt><dd>")
                .append(escaped(value))
                .append("</dd></div>\n");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    private static final String PAGE = """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Idempotency of this API</title>
        <style>
          :root { color-scheme: light dark; --ink: #1c2330; --soft: #5d6778; --line: #dfe3ea; --card: #fff; --page: #f6f7f9; --mark: #2f5fd0; }
          @media (prefers-color-scheme: dark) {
            :root { --ink: #e6e9ef; --soft: #9aa4b5; --line: #2d3442; --card: #1a202b; --page: #12161e; --mark: #8fb0ff; }
          }
          body { font: 16px/1.6 system-ui, sans-serif; color: var(--ink); background: var(--page); max-width: 58rem; margin: 3rem auto; padding: 0 1.25rem; }
          h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 .5rem; }
          h2 { font-size: 1.15rem; margin: 2.2rem 0 .8rem; }
          h3 { font-size: 1rem; margin: 0; display: flex; flex-wrap: wrap; gap: .3rem .8rem; align-items: baseline; }
          code { font: .92em ui-monospace, monospace; overflow-wrap: anywhere; }
          section { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: 1rem 1.2rem; margin: 0 0 .9rem; }
          section p { margin: .5rem 0 0; color: var(--soft); }
          h3 span { font-size: .78rem; font-weight: 600; color: var(--soft); }
          h3 .required { color: var(--mark); }
          dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: .7rem 1.5rem; margin: .9rem 0 0; }
          dt { font-size: .82rem; color: var(--soft); }
          dd { margin: 0; }
          table { border-collapse: collapse; width: 100%; font-size: .94rem; }
          th, td { text-align: left; vertical-align: top; padding: .45rem 1rem .45rem 0; border-bottom: 1px solid var(--line); }
          .overflow { overflow-x: auto; }
        </style>
        </head>
        <body>
        <h1>Retrying is safe here</h1>
        <p>Send an <code>Idempotency-Key</code> header with every request that changes something: a UUID that you make once per
        operation, keep, and repeat with every attempt. The operation runs once; every further attempt gets the answer of the first,
        marked <code>Idempotent-Replayed: true</code>. <code>Idempotency-Expires</code> says until when.</p>
        <h2>Routes, the first that matches</h2>
        $ROUTES<h2>When something is in the way</h2>
        <div class="overflow"><table>
        <tr><th>problem</th><th>status</th><th>what to do</th></tr>
        <tr><td><code>in-progress</code></td><td>409</td><td>Another attempt runs. Retry with the same key after <code>Retry-After</code>.</td></tr>
        <tr><td><code>outcome-unknown</code></td><td>409, 502, 504</td><td>It may or may not have happened. Never use another key: ask at the <code>Location</code>, or retry later with the same key.</td></tr>
        <tr><td><code>key-reused</code></td><td>422</td><td>The key belongs to a different request. A new operation needs a new key.</td></tr>
        <tr><td><code>key-spent</code></td><td>410</td><td>It has happened, long ago. Do not send it again.</td></tr>
        <tr><td><code>upstream-unreachable</code>, <code>store-unavailable</code></td><td>502, 503</td><td>Nothing was sent. Retry with the same key.</td></tr>
        </table></div>
        <p>What became of a key can be asked at <code>/.semel/v1/keys/{key}?operation=…</code></p>
        </body>
        </html>
        """;
}
