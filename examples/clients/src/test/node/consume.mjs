// Reads so many messages of a topic with KafkaJS: node consume.mjs BOOTSTRAP TOPIC COUNT. Prints each as one line of JSON.
// Run in a folder with the package 'kafkajs'. It reads what is committed, as KafkaJS does unless told otherwise.
import { createRequire } from "node:module";

const { Kafka, logLevel } = createRequire(process.cwd() + "/")("kafkajs");
const [bootstrap, topic, count] = process.argv.slice(2);
const kafka = new Kafka({ clientId: "semel-test", brokers: [bootstrap], logLevel: logLevel.ERROR });
const consumer = kafka.consumer({ groupId: "semel-test-" + process.pid });

let left = Number(count);
await consumer.connect();
await consumer.subscribe({ topic, fromBeginning: true });
await consumer.run({
  eachMessage: async ({ message }) => {
    const headers = Object.fromEntries(Object.entries(message.headers).map(([name, value]) => [name, value.toString("utf8")]));
    console.log(JSON.stringify({ key: message.key?.toString("utf8") ?? null, headers, payload: message.value.toString("base64") }));
    if (--left === 0) process.exit();
  },
});
