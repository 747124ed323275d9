// Loaded into every process of a stack by NODE_OPTIONS=--require: answers over a socket of its own what
// can be seen only from inside. Commands, one a connection: `turns` tells the longest turn of the event
// loop since the last question, `counts` what was done since the start; `sample` begins to sample what
// is allocated, `sampled` ends it and tells the bytes.
'use strict';
const { isMainThread } = require('node:worker_threads');

/** Bytes between two samples on average. */
const SAMPLING_BYTES = 4096;

const directory = process.env.PROBE_DIRECTORY;
if (isMainThread && directory !== undefined) start();

function start() {
  const fs = require('node:fs');
  const net = require('node:net');
  const path = require('node:path');
  const { monitorEventLoopDelay } = require('node:perf_hooks');
  const { Session } = require('node:inspector');

  const counts = countCalls(fs);
  const inspector = new Session();
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
    counts: () => counts,
    sample() {
      inspector.connect();
      inspector.post('HeapProfiler.startSampling', {
        samplingInterval: SAMPLING_BYTES,
        includeObjectsCollectedByMajorGC: true,
        includeObjectsCollectedByMinorGC: true,
      });
      return {};
    },
    sampled() {
      let bytes = 0;
      inspector.post('HeapProfiler.stopSampling', (_error, { profile }) => {
        bytes = bytesOf(profile.head);
      });
      inspector.disconnect();
      return { bytes };
    },
  };
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (name) => socket.end(JSON.stringify(commands[name]())));
  });
  server.listen(path.join(directory, `${process.pid}.sock`));
  server.unref();
}

/** All that was allocated below a place, whether or not it still lives. */
function bytesOf({ selfSize, children }) {
  return children.reduce((sum, child) => sum + bytesOf(child), selfSize);
}

/** Counts what leaves the process and what waits for the disk. */
function countCalls(fs) {
  const { Duplex } = require('node:stream');
  const counts = { syncs: 0, writes: {} };
  const countSyncs = (owner, name) => {
    const original = owner[name];
    owner[name] = function counted(...args) {
      counts.syncs += 1;
      return original.apply(this, args);
    };
  };
  for (const name of ['fdatasync', 'fdatasyncSync', 'fsync', 'fsyncSync']) countSyncs(fs, name);
  void fs.promises
    .open(__filename)
    .then(async (handle) => {
      for (const name of ['datasync', 'sync']) countSyncs(Object.getPrototypeOf(handle), name);
      await handle.close();
    })
    .catch(() => {});
  const write = Duplex.prototype.write;
  Duplex.prototype.write = function counted(chunk, ...rest) {
    const kind = kindOf(this, chunk);
    if (kind !== undefined) counts.writes[kind] = (counts.writes[kind] ?? 0) + 1;
    return write.call(this, chunk, ...rest);
  };
  return counts;
}

/** A call or an answer between services, or the port at the other end of a connection. */
function kindOf(stream, chunk) {
  const name = stream.constructor.name;
  if (name === 'ClientHttp2Stream') return 'calls';
  if (name === 'ServerHttp2Stream') return 'answers';
  const port = stream.remotePort;
  if (name !== 'Socket' || port === undefined) return undefined;
  // Kafka's requests name what they are behind their length: 0 is Produce.
  const isProduce = Buffer.isBuffer(chunk) && chunk.length > 6 && chunk.readInt16BE(4) === 0;
  return isProduce ? `${port} produce` : `${port}`;
}
