// The vendor of the bench: answers at once, 0.4 KB whole or 34 events streamed in one write.
'use strict';
const http = require('node:http');

const EVENTS = 34;
const choice = (delta, finish) => ({ index: 0, delta, finish_reason: finish });
const frame = (choices, usage) =>
  `data: ${JSON.stringify({ id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1, model: 'bench', choices, ...usage })}\n\n`;

const usage = { prompt_tokens: 20, completion_tokens: EVENTS - 2, total_tokens: EVENTS + 18 };
const whole = Buffer.from(
  JSON.stringify({
    id: 'chatcmpl-bench',
    object: 'chat.completion',
    created: 1,
    model: 'bench',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'word '.repeat(40) },
        finish_reason: 'stop',
      },
    ],
    usage,
  }),
);
const streamed = Buffer.from(
  frame([choice({ role: 'assistant', content: '' }, null)]) +
    frame([choice({ content: 'word ' }, null)]).repeat(EVENTS - 3) +
    frame([choice({}, 'stop')]) +
    frame([], { usage }) +
    'data: [DONE]\n\n',
);

let hits = 0;
const server = http.createServer((request, response) => {
  if (request.url === '/hits') {
    response.end(String(hits));
    return;
  }
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    hits += 1;
    const isStream = Buffer.concat(chunks).includes('"stream":true');
    const body = isStream ? streamed : whole;
    const type = isStream ? 'text/event-stream' : 'application/json';
    response.writeHead(200, { 'content-type': type, 'content-length': body.length });
    response.end(body);
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening ${server.address().port}\n`);
});
process.on('SIGTERM', () => process.exit(0));
