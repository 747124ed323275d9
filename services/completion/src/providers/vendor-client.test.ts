import { type Clock, createSystemClock, silentLogger, type Timer } from '@tollgate/core';
import { createEgressClient } from '@tollgate/egress';
import type { VendorFrame } from '../domain/vendor';
import { exampleCall } from '../testing/vendor-call';
import {
  DONE_CHUNK,
  FINISH_CHUNK,
  startVendorServer,
  textChunk,
  USAGE_CHUNK,
} from '../testing/vendor-server';
import { createChannelMonitor } from './channel-monitor';
import { createChannelPools } from './channel-pools';
import { createVendorClient } from './vendor-client';

/** The machine's clock, and the timers of it that wait. */
function createWatchedClock() {
  const system = createSystemClock();
  const waiting = new Set<Timer>();
  const clock: Clock = {
    ...system,
    schedule(delayMs, callback) {
      const inner = system.schedule(delayMs, () => {
        waiting.delete(timer);
        callback();
      });
      const timer: Timer = {
        cancel() {
          waiting.delete(timer);
          inner.cancel();
        },
      };
      waiting.add(timer);
      return timer;
    },
  };
  return { clock, waiting };
}

async function startClient() {
  const vendor = await startVendorServer();
  const { clock, waiting } = createWatchedClock();
  const egress = createEgressClient({
    ...{ allowedPrivateHosts: ['127.0.0.1'], logger: silentLogger },
  });
  const monitor = createChannelMonitor({ failurePercent: 50, callsMin: 10, openMs: 1000 });
  const connections = { connectionsPerChannelMax: 4, connectTimeoutMs: 1000 };
  const pools = createChannelPools(
    egress,
    { ...connections, idleTimeoutMs: 1000, keepAliveMs: 1000 },
    silentLogger,
  );
  const limits = {
    ...{ firstTokenTimeoutMs: 10_000, totalTimeoutMs: 20_000, answerBytesMax: 10_000 },
    ...{ waitingFramesMax: 100, lineBytesMax: 10_000, retryAfterMsMax: 1000 },
  };
  const client = createVendorClient({ pools, monitor, clock, limits });
  const { offer } = exampleCall();
  const channel = { ...offer.channel, baseUrl: vendor.baseUrl };
  client.setChannels([channel]);
  return {
    ...{ client, vendor, waiting, offer: { ...offer, channel } },
    async close() {
      monitor.shutdown();
      await egress.close();
      await vendor.close();
    },
  };
}

it('leaves no timer behind when an answer is over, though all of it came at once', async () => {
  const { client, close, offer, vendor, waiting } = await startClient();
  vendor.script = (_seen, response) => {
    response.setHeader('content-type', 'text/event-stream');
    response.end(textChunk('Hello') + FINISH_CHUNK + USAGE_CHUNK + DONE_CHUNK);
  };
  const { signal } = new AbortController();
  const stream = await client.stream(exampleCall({ offer, stream: true }), signal);
  const frames = await new Promise<readonly VendorFrame[]>((resolve, reject) => {
    const seen: VendorFrame[] = [];
    stream.attach({
      onFrames: (some) => seen.push(...some) > 0,
      onEnd: () => resolve(seen),
      onFailure: reject,
    });
  });
  expect(frames.at(-1)).toEqual({ kind: 'done' });
  expect(waiting.size).toBe(0);
  await close();
});
