// Loaded into every process of a stack by NODE_OPTIONS=--require: answers over a socket of its own what
// can be seen only from inside. Commands, one a connection: `turns` tells the longest turn of the event
// loop since the last question, `counts` what was done since the start, `collect` frees garbage first.
'use strict';
const { isMainThread } = require('node:worker_threads');

const directory = process.env.PROBE_DIRECTORY;
if (isMainThread && directory !== undefined) start();

function start() {
  const fs = require('node:fs');
  const net = require('node:net');
  const path = require('node:path');
  const { monitorEventLoopDelay } = require('node:perf_hooks');
  const v8 = require('node:v8');
  const vm = require('node:vm');

  const counts = countCalls(fs);
  const resolutionMs = 1;
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  const commands = {
    turns() {
      delays.enable();
      const toMs = (ns) => Math.max(0, ns / 1e6 - resolutionMs);
      const found = { longestMs: toMs(delays.max), p999Ms: toMs(delays.percentile(99.9)) };
      delays.reset();
      return found;
    },
    counts: () => ({ ...counts, heapBytes: v8.getHeapStatistics().used_heap_size }),
    collect() {
      v8.setFlagsFromString('--expose-gc');
      vm.runInNewContext('gc')();
      return commands.counts();
    },
  };
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (name) => socket.end(JSON.stringify(commands[name]())));
  });
  server.listen(path.join(directory, `${process.pid}.sock`));
  server.unref();
}

/** Counts what leaves the process and what waits for the disk. */
function countCalls(fs) {
  const { Writable } = require('node:stream');
  const { PerformanceObserver } = require('node:perf_hooks');
  const counts = { syncs: 0, collections: 0, writes: {} };
  const count = (owner, name) => {
    const original = owner[name];
    owner[name] = function counted(...args) {
      counts.syncs += 1;
      return original.apply(this, args);
    };
  };
  for (const name of ['fdatasync', 'fdatasyncSync', 'fsync', 'fsyncSync']) count(fs, name);
  const write = Writable.prototype.write;
  Writable.prototype.write = function counted(chunk, ...rest) {
    const kind = kindOf(this, chunk);
    if (kind !== undefined) counts.writes[kind] = (counts.writes[kind] ?? 0) + 1;
    return write.call(this, chunk, ...rest);
  };
  void fs.promises
    .open(__filename)
    .then(async (handle) => {
      for (const name of ['datasync', 'sync']) count(Object.getPrototypeOf(handle), name);
      await handle.close();
    })
    .catch(() => {});
  new PerformanceObserver((list) => {
    counts.collections += list.getEntries().length;
  }).observe({ entryTypes: ['gc'] });
  return counts;
}

/** `grpc` for a message of either side, else the port at the other end of a connection. */
function kindOf(stream, chunk) {
  const name = stream.constructor.name;
  if (name === 'ClientHttp2Stream' || name === 'ServerHttp2Stream') return 'grpc';
  const port = stream.remotePort;
  if (name !== 'Socket' || port === undefined) return undefined;
  // Kafka's requests name what they are: 0 is Produce.
  const isProduce = Buffer.isBuffer(chunk) && chunk.length > 6 && chunk.readInt16BE(4) === 0;
  return `${port}${isProduce ? ' produce' : ''}`;
}
