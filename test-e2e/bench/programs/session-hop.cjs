// The floor of two processes: one takes requests by HTTP and sends them on in a session of packages/rpc,
// the other answers them by asking the vendor. Nothing is checked, counted or remembered.
//   session-hop.cjs serve LISTEN VENDOR | session-hop.cjs edge ADDRESS
// The built packages are loaded by their place, as other programs here are started by theirs.
'use strict';
const http = require('node:http');
const path = require('node:path');
const { Pool } = require('undici');

const ROOT = path.join(__dirname, '../../..');
const built = (name) => require(path.join(ROOT, 'packages', name, 'dist/index.js'));
const { completionDefinition, createRpcClient, createRpcServer, FrameQueue, serveSession } =
  built('rpc');
const { createSystemClock, silentLogger } = built('core');

const host = { clock: createSystemClock(), logger: silentLogger };
const security = { serviceSecret: 'the-bench-has-no-secrets-to-keep-at-all', plaintext: true };
const ANSWER = { model: 'bench', attempts: 1, channelId: 'chn', created: 1n };
const headers = { 'content-type': 'application/json' };

async function serve(listen, vendorUrl) {
  const pool = new Pool(vendorUrl, { connections: 128 });
  const ask = (input) =>
    pool.request({ method: 'POST', path: '/v1/chat/completions', headers, body: input.messages });
  const handlers = {
    async complete(input) {
      const { body } = await ask(input);
      const choices = Buffer.from(await body.arrayBuffer());
      return { ...ANSWER, choices, usage: undefined, amount: 0n };
    },
    async stream(input, _call, out) {
      const { body } = await ask(input);
      out.head(ANSWER);
      for await (const chunk of body) {
        if (!out.chunk([chunk])) await out.drained();
      }
      out.end({ usage: undefined, amount: 0n, failure: undefined });
    },
  };
  const server = createRpcServer({ listen, security, host });
  const policy = { session: ['gateway'], recallLease: ['billing'], explainRoute: ['gateway'] };
  const absent = async () => {
    throw new Error('only sessions are served');
  };
  const draining = new AbortController().signal;
  server.addService(completionDefinition, policy, {
    recallLease: absent,
    explainRoute: absent,
    session: (call, stream) =>
      serveSession(call, stream, { handlers, draining, ready: () => true, ...host }),
  });
  await server.listen();
  process.stdout.write('listening\n');
}

const caller = {
  accountId: 'acc',
  keyId: 'key',
  userId: 'usr',
  operator: false,
  models: [],
  pools: [],
  grantedGroups: [],
  accountModels: [],
  budgetPeriod: 0,
  discount: 0,
};

function edge(address) {
  const options = { address, ownName: 'gateway', security, host, deadlineMs: 5000 };
  const stream = createRpcClient(completionDefinition, options).session();
  const running = new Map();
  const queue = new FrameQueue({ write: (frames) => stream.write({ frames }) });
  stream.onDrain(() => queue.resume());
  stream.onMessage(({ frames }) => {
    for (const { number, event } of frames) {
      const response = running.get(number);
      if (response === undefined) continue;
      switch (event?.$case) {
        case 'complete':
          response.writeHead(200, headers);
          response.end(event.value.choices);
          break;
        case 'head':
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          break;
        case 'chunk':
          for (const bytes of event.value.choices) response.write(bytes);
          break;
        case 'end':
          response.end();
          break;
        default:
          response.writeHead(500);
          response.end();
      }
    }
  });
  let number = 0;
  const server = http.createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      number += 1;
      const mine = number;
      running.set(mine, response);
      response.once('close', () => running.delete(mine));
      const messages = Buffer.concat(chunks);
      const input = {
        ...{ requestId: 'req', clientRequestId: '', caller, model: 'bench', messages },
        ...{ parameters: undefined, messageCount: 1, deadlineMs: 0, traceparent: '' },
        limitsLeft: '',
        ignoredMembers: '',
        fallbackModels: [],
      };
      const open = { input, stream: messages.includes('"stream":true') };
      queue.push({ number: mine, action: { $case: 'open', value: open } }, messages.length);
    });
  });
  stream.onAccept(() => {
    server.listen(0, '127.0.0.1', () => {
      process.stdout.write(`listening ${server.address().port}\n`);
    });
  });
}

process.on('SIGTERM', () => process.exit(0));
const [role, ...rest] = process.argv.slice(2);
if (role === 'serve') void serve(...rest);
else edge(...rest);
