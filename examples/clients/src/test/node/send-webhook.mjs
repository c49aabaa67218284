// Signs a webhook as its senders do, and posts it: node send-webhook.mjs SCHEME URL SECRET ID BODY. Prints the status of the answer.
// Run in a folder with the packages 'standardwebhooks', 'stripe' and '@octokit/webhooks-methods'.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(process.cwd() + "/");
const [scheme, url, secret, id, body] = process.argv.slice(2);

async function headers() {
  switch (scheme) {
    case "standard": {
      const { Webhook } = require("standardwebhooks");
      const now = new Date();
      return {
        "webhook-id": id,
        "webhook-timestamp": Math.floor(now.getTime() / 1000).toString(),
        "webhook-signature": new Webhook(secret).sign(id, now, body),
      };
    }
    case "stripe": {
      const Stripe = require("stripe");
      return { "Stripe-Signature": new Stripe("sk_test_123").webhooks.generateTestHeaderString({ payload: body, secret }) };
    }
    case "github": {
      const { sign } = await import(pathToFileURL(process.cwd() + "/node_modules/@octokit/webhooks-methods/dist-node/index.js"));
      return { "X-GitHub-Delivery": id, "X-GitHub-Event": "push", "X-Hub-Signature-256": await sign(secret, body) };
    }
  }
}

const answer = await fetch(url, {
  method: "POST",
  headers: { "Content-Type": "application/json", ...(await headers()) },
  body,
});
await answer.arrayBuffer();
console.log(answer.status);
