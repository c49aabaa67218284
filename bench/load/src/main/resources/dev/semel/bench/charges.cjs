// The same answer to every charge, twice: as a Restate service, and as a plain HTTP server. Counts how often it was asked.
// Usage: node charges.cjs FOLDER_OF_THE_SDK; prints the two ports.
'use strict';
const http = require('node:http');
const http2 = require('node:http2');
const { createRequire } = require('node:module');

// The SDK counts on it, and Node 20 does not have it yet.
Promise.withResolvers ??= function () {
  let resolve, reject;
  const promise = new Promise((yes, no) => { resolve = yes; reject = no; });
  return { promise, resolve, reject };
};
const restate = createRequire(process.argv[2] + '/package.json')('@restatedev/restate-sdk');

const charge = {
  id: 'ch_3f9d2c7a41b84e6f', object: 'charge', amount: 1999, currency: 'eur', customer: 'cus_7f3a9b21',
  status: 'succeeded', captured: true, created: 1767225600, receipt: 'https://pay.example/r/3f9d2c7a4',
};
const answer = Buffer.from(JSON.stringify(charge));
let asked = 0;

const service = restate.service({
  name: 'charges',
  handlers: { create: async () => { asked++; return charge; } },
});

const plain = http.createServer((request, response) => {
  if (request.url === '/asked') return response.end(String(asked));
  request.resume();
  request.on('end', () => {
    asked++;
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': answer.length });
    response.end(answer);
  });
});
plain.keepAliveTimeout = 0;

const handler = http2.createServer(restate.createEndpointHandler({ services: [service] }));
handler.listen(0, '127.0.0.1', 1024, () =>
  plain.listen(0, '127.0.0.1', 1024, () =>
    console.log(`listening ${handler.address().port} ${plain.address().port}`)));
