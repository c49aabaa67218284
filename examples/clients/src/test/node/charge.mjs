// Charges with Stripe's own SDK: node charge.mjs PORT KEY AMOUNT. Prints what came of it as one line of JSON.
// Run in a folder with the package 'stripe'.
import { createRequire } from "node:module";

const Stripe = createRequire(process.cwd() + "/")("stripe");
const [port, idempotencyKey, amount] = process.argv.slice(2);
const stripe = new Stripe("sk_test_123", { host: "127.0.0.1", port, protocol: "http", maxNetworkRetries: 1 });

try {
  const charge = await stripe.charges.create({ amount, currency: "eur", source: "tok_visa" }, { idempotencyKey });
  console.log(JSON.stringify({ charged: charge.id ?? null, got: Object.keys(charge) }));
} catch (e) {
  console.log(JSON.stringify({ thrown: e.type, status: e.statusCode, code: e.code, message: e.message }));
}
// The SDK leaves answers that it retried unread, and their connections would keep this process alive.
process.exit();
