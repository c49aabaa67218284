// Verifies a webhook that was delivered, with the library of Standard Webhooks: node take-webhook.mjs SECRET HEADERS BODY, the headers as
// JSON. Prints what is in it.
// Run in a folder with the package 'standardwebhooks'.
import { createRequire } from "node:module";

const { Webhook } = createRequire(process.cwd() + "/")("standardwebhooks");
const [secret, headers, body] = process.argv.slice(2);
console.log(JSON.stringify(new Webhook(secret).verify(body, JSON.parse(headers))));
