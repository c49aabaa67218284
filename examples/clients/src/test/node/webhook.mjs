// Verifies and signs with the library of Standard Webhooks. Run in a folder with the package 'standardwebhooks'.
//   node webhook.mjs verify SECRET ID TIMESTAMP SIGNATURE BODY   says "genuine" or why not
//   node webhook.mjs sign SECRET ID BODY                         says timestamp and signature
import { createRequire } from "node:module";

const { Webhook } = createRequire(process.cwd() + "/")("standardwebhooks");
const [what, secret, id, ...rest] = process.argv.slice(2);
const webhook = new Webhook(secret);

if (what === "sign") {
  const now = new Date();
  console.log(Math.floor(now.getTime() / 1000) + " " + webhook.sign(id, now, rest[0]));
} else {
  const [timestamp, signature, body] = rest;
  try {
    webhook.verify(body, { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature });
    console.log("genuine");
  } catch (e) {
    console.log(e.message);
  }
}
