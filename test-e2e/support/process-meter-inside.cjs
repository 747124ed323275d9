// Loaded into every process of a stack by NODE_OPTIONS=--require: answers over a socket of its own what
// can be seen only from inside. Commands, one a connection: `ticks` tells the longest tick of the event
// loop since the last question and what it was spent on, `counts` what was done since the start;
// `sample` begins to sample what is allocated, `sampled` ends it and tells the bytes.
'use strict';
const { isMainThread } = require('node:worker_threads');

/** Bytes between two samples on average. */
const SAMPLING_BYTES = 4096;

const directory = process.env.METER_DIRECTORY;
if (isMainThread && directory !== undefined) start();

function start() {
  const fs = require('node:fs');
  const net = require('node:net');
  const path = require('node:path');
  const { Session } = require('node:inspector');

  const counts = countCalls(fs);
  const inspector = new Session();
  let watch;
  const commands = {
    ticks() {
      watch ??= watchTicks(fs);
      return watch.sinceLast();
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

/**
 * Looks at the clock every millisecond. What came late was held by a tick, and the thread's own CPU
 * time, its time in the queue for a core and the pauses of the garbage collector say how.
 */
function watchTicks(fs) {
  const { createHistogram, performance, PerformanceObserver } = require('node:perf_hooks');
  const lookMs = 1;
  const lags = createHistogram();
  const readWaitedMs = openWaitedMs(fs);
  const cpuMs = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let pauses = [];
  new PerformanceObserver((list) => pauses.push(...list.getEntries())).observe({ type: 'gc' });
  const none = () => ({ beganMs: 0, endedMs: 0, lagMs: 0, workMs: 0, waitedMs: 0 });
  let longest = none();
  let hardest = none();
  let last = { atMs: performance.now(), cpuMs: cpuMs(), waitedMs: readWaitedMs() };
  setInterval(() => {
    const now = { atMs: performance.now(), cpuMs: cpuMs(), waitedMs: readWaitedMs() };
    const tick = {
      beganMs: last.atMs,
      endedMs: now.atMs,
      lagMs: Math.max(0, now.atMs - last.atMs - lookMs),
      workMs: now.cpuMs - last.cpuMs,
      waitedMs: now.waitedMs - last.waitedMs,
    };
    last = now;
    // A histogram holds nothing below 1.
    lags.record(Math.max(1, Math.round(tick.lagMs * 1e6)));
    if (tick.lagMs > longest.lagMs) longest = tick;
    if (tick.workMs > hardest.workMs) hardest = tick;
  }, lookMs).unref();
  // A pause is timed by the clock, so that it counts a wait for the core; the work of the tick does not.
  const collectedMs = ({ beganMs, endedMs, workMs }) =>
    pauses
      .filter(({ startTime }) => startTime >= beganMs && startTime <= endedMs)
      .reduce((sum, { duration }) => Math.min(workMs, sum + duration), 0);
  return {
    sinceLast() {
      const found = {
        longestMs: longest.lagMs,
        p999Ms: lags.count === 0 ? 0 : lags.percentile(99.9) / 1e6,
        ofLongest: { ...longest, collectedMs: collectedMs(longest) },
        mostWork: { ...hardest, collectedMs: collectedMs(hardest) },
      };
      lags.reset();
      longest = none();
      hardest = none();
      pauses = [];
      return found;
    },
  };
}

/** How long the main thread was ready and had no core; always 0 where the kernel does not tell. */
function openWaitedMs(fs) {
  const bytes = Buffer.alloc(128);
  try {
    const file = fs.openSync(`/proc/self/task/${process.pid}/schedstat`);
    return () => {
      const text = bytes.latin1Slice(0, fs.readSync(file, bytes, 0, bytes.length, 0));
      return Number(text.split(' ')[1]) / 1e6;
    };
  } catch {
    return () => 0;
  }
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
