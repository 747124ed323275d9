// The vendor of the bench: answers at once, 0.4 KB whole or 34 events that leave one by one. A prompt
// that says `burst=N` gets a stream of that many events at once; one that says `events=N every=MS` gets
// them at that pace, each with the time at which it left. Under /half, /stalling, /good and /capped it is
// a vendor of its own that is as bad as its name, until POST /heal.
'use strict';
const http = require('node:http');

const EVENTS = 34;
const choice = (delta, finish) => ({ index: 0, delta, finish_reason: finish });
const frame = (choices, usage) =>
  `data: ${JSON.stringify({ id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1, model: 'bench', choices, ...usage })}\n\n`;
const word = (content) => frame([choice({ content }, null)]);
const usageOf = (completion) => ({
  usage: { prompt_tokens: 20, completion_tokens: completion, total_tokens: completion + 20 },
});
const opening = frame([choice({ role: 'assistant', content: '' }, null)]);
const ending = (completion) =>
  `${frame([choice({}, 'stop')])}${frame([], usageOf(completion))}data: [DONE]\n\n`;

const message = { role: 'assistant', content: 'word '.repeat(40) };
const whole = Buffer.from(
  JSON.stringify({
    id: 'chatcmpl-bench',
    object: 'chat.completion',
    created: 1,
    model: 'bench',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    ...usageOf(40),
  }),
);
const opened = Buffer.from(opening);
const next = Buffer.from(word('word '));

let hits = 0;
let open = 0;
let healed = false;
const hitsOf = { half: 0, stalling: 0, good: 0, capped: 0 };
/** What the capped vendor answers at once; more than that makes all of it slow. */
const CAP = Number(process.argv[2] ?? Infinity);
let cappedOpen = 0;
const server = http.createServer((request, response) => {
  if (request.url === '/hits') {
    response.end(JSON.stringify({ hits, open, hitsOf }));
    return;
  }
  if (request.url === '/heal') {
    healed = true;
    response.end();
    return;
  }
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    hits += 1;
    open += 1;
    response.once('close', () => {
      open -= 1;
    });
    const [, name] = /^\/(half|stalling|good|capped)\//.exec(request.url) ?? [];
    if (name !== undefined) {
      hitsOf[name] += 1;
      BEHAVIOURS[name](response);
      return;
    }
    const body = Buffer.concat(chunks);
    const settings = body.subarray(0, 4096).toString('latin1');
    if (body.includes('"stream":true')) {
      const [, count, everyMs] = /events=(\d+) every=(\d+)/.exec(settings) ?? [];
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const [, burst] = /burst=(\d+)/.exec(settings) ?? [];
      if (burst !== undefined) sendAtOnce(response, Number(burst), 0);
      else if (count === undefined) sendAtOnce(response, EVENTS, 0);
      else sendPaced(response, Number(count), Number(everyMs));
    } else {
      const headers = { 'content-type': 'application/json', 'content-length': whole.length };
      response.writeHead(200, headers);
      response.end(whole);
    }
  });
});

const BEHAVIOURS = {
  good: (response) => sendLater(response, firstTokenMs()),
  half(response) {
    if (healed || Math.random() < 0.5) return sendLater(response, firstTokenMs());
    response.writeHead(500, { 'content-type': 'application/json' });
    response.end('{"error":{"message":"overloaded"}}');
  },
  // A vendor that stalls takes the request and says nothing.
  stalling: (response) => healed && sendLater(response, firstTokenMs()),
  // Above its cap a vendor does worse than to refuse: all of it becomes ten times slower.
  capped(response) {
    cappedOpen += 1;
    response.once('close', () => {
      cappedOpen -= 1;
    });
    sendLater(response, cappedOpen > CAP ? 3000 : 300, cappedOpen > CAP ? 7000 : 700);
  },
};

/** Most answers begin soon; one in a hundred takes twice as long as the others' mean, or longer. */
const firstTokenMs = () => 200 - 100 * Math.log(1 - Math.random());

function sendLater(response, beginMs, answerMs = 0) {
  setTimeout(() => {
    if (response.destroyed) return;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(opened);
    response.write(next);
    setTimeout(() => response.destroyed || response.end(ending(2)), answerMs);
  }, beginMs);
}

/** One event for each tick of the event loop, so that none shares a write with another. */
function sendAtOnce(response, count, sent) {
  if (response.destroyed) return;
  if (sent === count - 1) {
    response.end(ending(count - 3));
    return;
  }
  response.write(sent === 0 ? opened : next);
  setImmediate(sendAtOnce, response, count, sent + 1);
}

function sendPaced(response, count, everyMs) {
  let sent = 0;
  response.write(opened);
  const timer = setInterval(() => {
    const nowMs = performance.timeOrigin + performance.now();
    response.write(word(`at=${nowMs.toFixed(3)} `));
    sent += 1;
    if (sent < count) return;
    clearInterval(timer);
    response.end(ending(count));
  }, everyMs);
  response.once('close', () => clearInterval(timer));
}

server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening ${server.address().port}\n`);
});
process.on('SIGTERM', () => process.exit(0));
