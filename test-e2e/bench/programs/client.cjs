// The load where wrk cannot say what is wanted: streams and their first tokens, a fixed rate, aborts.
// Reads one plan (see load/client.ts) from the file that it is given, writes one line of JSON when it is over. Speaks
// HTTP/1.1 over sockets by itself, because every client library costs more than what is measured.
'use strict';
const fs = require('node:fs');
const net = require('node:net');

const plan = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));
const target = new URL(plan.url);
const keys = plan.keys ?? [undefined];
const pairs = Array.from({ length: Math.max(keys.length, plan.bodies.length) }, (_, index) => ({
  key: keys[index % keys.length],
  body: plan.bodies[index % plan.bodies.length],
}));
const requests = pairs.map(({ key, body }) => {
  const headers = { host: target.host, 'content-type': 'application/json', ...plan.headers };
  if (key !== undefined) headers.authorization = `Bearer ${key}`;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = `content-length: ${Buffer.byteLength(body)}\r\n`;
  return Buffer.from(`POST ${target.pathname} HTTP/1.1\r\n${lines.join('')}${length}\r\n${body}`);
});
const FIRST_TOKEN = Buffer.from('"content":"w');
const FIRST_PACED = Buffer.from('"content":"at=');
const HEAD_END = Buffer.from('\r\n\r\n');

const latenciesMs = [];
const lateMs = [];
const firstMs = [];
const lagsMs = [];
const statuses = {};
let begun = 0;
let done = 0;
let failures = 0;
let aborted = 0;
let stopped = false;
const idle = [];
const everyone = new Set();

/** A connection that sends one request after the other. */
class Connection {
  constructor() {
    this.socket = undefined;
    this.busy = false;
    everyone.add(this);
  }

  ask(dueMs) {
    this.busy = true;
    this.dueMs = dueMs;
    this.head = undefined;
    this.pending = undefined;
    this.first = false;
    this.left = 0;
    this.chunked = false;
    const request = requests[begun % requests.length];
    begun += 1;
    if (this.socket === undefined || this.socket.destroyed) this.connect();
    this.socket.write(request);
    lateMs.push(performance.now() - dueMs);
    if (plan.abortAfterMs !== undefined) {
      const { dueMs: mine } = this;
      setTimeout(() => {
        if (this.dueMs === mine) this.abort();
      }, plan.abortAfterMs);
    }
  }

  connect() {
    const socket = net.connect(Number(target.port), target.hostname);
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.read(chunk));
    socket.on('error', () => {});
    socket.on('close', () => {
      if (!this.busy || this.socket !== socket) return;
      failures += 1;
      this.finish(0);
    });
    this.socket = socket;
  }

  abort() {
    if (!this.busy) return;
    aborted += 1;
    this.busy = false;
    this.socket.destroy();
    this.socket = undefined;
    release(this);
  }

  read(chunk) {
    let rest = this.pending === undefined ? chunk : Buffer.concat([this.pending, chunk]);
    this.pending = undefined;
    if (this.head === undefined) {
      const end = rest.indexOf(HEAD_END);
      if (end < 0) {
        this.pending = rest;
        return;
      }
      this.head = rest.toString('latin1', 0, end).toLowerCase();
      this.chunked = this.head.includes('transfer-encoding: chunked');
      this.left = Number(/content-length: (\d+)/.exec(this.head)?.[1] ?? 0);
      rest = rest.subarray(end + HEAD_END.length);
    }
    this.look(rest);
    if (this.chunked) this.skipChunks(rest);
    else {
      this.left -= rest.length;
      if (this.left <= 0) this.finish(this.status());
    }
  }

  status() {
    return Number(this.head.slice(9, 12));
  }

  look(bytes) {
    if (!this.first && (bytes.includes(FIRST_TOKEN) || bytes.includes(FIRST_PACED))) {
      this.first = true;
      firstMs.push(performance.now() - this.dueMs);
    }
    if (!plan.lags) return;
    const nowMs = performance.timeOrigin + performance.now();
    for (let at = bytes.indexOf(FIRST_PACED); at >= 0; at = bytes.indexOf(FIRST_PACED, at + 1)) {
      const from = at + FIRST_PACED.length;
      const sentMs = Number.parseFloat(bytes.toString('latin1', from, from + 20));
      lagsMs.push(nowMs - sentMs);
    }
  }

  /** `left` counts what is missing of the chunk at hand, its line end included. */
  skipChunks(bytes) {
    let at = 0;
    while (at < bytes.length) {
      if (this.left > 0) {
        const step = Math.min(this.left, bytes.length - at);
        this.left -= step;
        at += step;
        continue;
      }
      const lineEnd = bytes.indexOf('\r\n', at);
      if (lineEnd < 0) {
        this.pending = bytes.subarray(at);
        return;
      }
      const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
      if (size === 0) {
        // No trailers are sent here: an empty line ends the answer.
        if (bytes.length < lineEnd + 4) {
          this.pending = bytes.subarray(at);
          return;
        }
        this.finish(this.status());
        return;
      }
      this.left = size + 2;
      at = lineEnd + 2;
    }
  }

  finish(status) {
    this.busy = false;
    if (this.head?.includes('connection: close')) this.socket.destroy();
    done += 1;
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (plan.expected.includes(status)) latenciesMs.push(performance.now() - this.dueMs);
    release(this);
  }
}

const waiting = [];

/** The next request of a closed loop, or one whose time came while all connections were busy. */
function release(connection) {
  const mayGoOn = !stopped && (plan.requestsMax === undefined || begun < plan.requestsMax);
  if (plan.perSecond === undefined) {
    if (mayGoOn) setImmediate(() => connection.ask(performance.now()));
    else check();
    return;
  }
  const dueMs = waiting.shift();
  if (dueMs !== undefined) connection.ask(dueMs);
  else idle.push(connection);
  check();
}

const beganMs = performance.now();

function check() {
  if (plan.requestsMax !== undefined && begun >= plan.requestsMax) stopped = true;
  if (!stopped || waiting.length > 0) return;
  for (const { busy } of everyone) if (busy) return;
  report();
}

/** A fixed rate, whatever the answers do: each request is timed from when it was due. */
function openLoop() {
  let sent = 0;
  const tick = () => {
    const nowMs = performance.now();
    const due = Math.min(
      // The first one is due at once.
      Math.floor(((nowMs - beganMs) * plan.perSecond) / 1000) + 1,
      Math.floor(plan.seconds * plan.perSecond),
    );
    for (; sent < due; sent += 1) {
      const dueMs = beganMs + (sent * 1000) / plan.perSecond;
      const connection = idle.pop() ?? (everyone.size < plan.connections ? new Connection() : null);
      if (connection === null) waiting.push(dueMs);
      else connection.ask(dueMs);
    }
    if (stopped) return;
    setTimeout(tick, 1);
  };
  tick();
}

function report() {
  const endMs = performance.now();
  const of = (values, share) => {
    if (values.length === 0) return null;
    return Math.round(
      values[Math.min(values.length - 1, Math.floor(values.length * share))] * 1000,
    );
  };
  const spread = (values) => {
    const sorted = Float64Array.from(values).sort();
    return {
      count: sorted.length,
      p50Us: of(sorted, 0.5),
      p99Us: of(sorted, 0.99),
      p999Us: of(sorted, 0.999),
      maxUs: of(sorted, 1),
    };
  };
  const result = {
    requests: done,
    seconds: (endMs - beganMs) / 1000,
    failures,
    aborted,
    unfinished: [...everyone].filter(({ busy }) => busy).length + waiting.length,
    statuses,
    latency: spread(latenciesMs),
    late: spread(lateMs),
    firstToken: spread(firstMs),
    lag: spread(lagsMs),
  };
  process.stdout.write(`RESULT ${JSON.stringify(result)}\n`, () => process.exit(0));
}

setTimeout(() => {
  stopped = true;
  // A system that fell behind is not waited for without end.
  setTimeout(report, plan.graceMs);
  check();
}, plan.seconds * 1000);
if (plan.perSecond === undefined) {
  for (let index = 0; index < plan.connections; index += 1) {
    new Connection().ask(performance.now());
  }
} else openLoop();
