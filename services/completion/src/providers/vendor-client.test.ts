import { silentLogger } from '@tollgate/core';
import { createEgressClient } from '@tollgate/egress';
import { createFakeClock, waitFor } from '@tollgate/testkit';
import type { VendorCall, VendorFailure, VendorFrame } from '../domain/vendor';
import { exampleCall } from '../testing/vendor-call';
import {
  beginStream,
  DONE_CHUNK,
  FINISH_CHUNK,
  startVendorServer,
  textChunk,
  USAGE_CHUNK,
} from '../testing/vendor-server';
import { createChannelMonitor } from './channel-monitor';
import { createChannelPools } from './channel-pools';
import { createVendorClient, type VendorLimits } from './vendor-client';

const LIMITS: VendorLimits = {
  ...{ headTimeoutMs: 5_000, wholeHeadTimeoutMs: 8_000, connectTimeoutMs: 1000 },
  ...{ firstTokenTimeoutMs: 10_000, totalTimeoutMs: 20_000 },
  ...{ answerBytesMax: 10_000, waitingFramesMax: 100 },
  ...{ lineBytesMax: 10_000, retryAfterMsMax: 1000 },
};

let running: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of running) await each.close();
  running = [];
});

/** A client on a clock that stands still, so that no bound is met before a test says so. */
async function startClient(connectionsPerChannelMax = 4) {
  const vendor = await startVendorServer();
  const clock = createFakeClock();
  const egress = createEgressClient({
    ...{ allowedPrivateHosts: ['127.0.0.1'], logger: silentLogger },
  });
  const monitor = createChannelMonitor({ failurePercent: 50, callsMin: 10, openMs: 1000 });
  const connections = { connectionsPerChannelMax, connectTimeoutMs: 1000 };
  const pools = createChannelPools(
    egress,
    { ...connections, idleTimeoutMs: 60_000, keepAliveMs: 60_000 },
    silentLogger,
  );
  const client = createVendorClient({ pools, monitor, clock, limits: LIMITS });
  const { offer } = exampleCall();
  const channel = { ...offer.channel, baseUrl: vendor.baseUrl };
  client.setChannels([channel]);
  running.push({
    async close() {
      monitor.shutdown();
      await egress.close();
      await vendor.close();
    },
  });
  const call = (changes: Partial<VendorCall> = {}) =>
    exampleCall({ offer: { ...offer, channel }, ...changes });
  return { client, clock, vendor, call };
}

const { signal } = new AbortController();
const failureOf = (answer: Promise<unknown>): Promise<VendorFailure> =>
  answer.then(
    () => Promise.reject(new Error('did not fail')),
    (error: VendorFailure) => error,
  );

it('leaves no timer behind when an answer is over, though all of it came at once', async () => {
  const { client, call, clock, vendor } = await startClient();
  vendor.script = (_seen, response) => {
    response.setHeader('content-type', 'text/event-stream');
    response.end(textChunk('Hello') + FINISH_CHUNK + USAGE_CHUNK + DONE_CHUNK);
  };
  const stream = await client.stream(call({ stream: true }), signal);
  const frames = await new Promise<readonly VendorFrame[]>((resolve, reject) => {
    const seen: VendorFrame[] = [];
    stream.attach({
      onFrames: (some) => seen.push(...some) > 0,
      onEnd: () => resolve(seen),
      onFailure: reject,
    });
  });
  expect(frames.at(-1)).toEqual({ kind: 'done' });
  expect(clock.pendingTimers).toBe(0);
});

it('refusals keep their connection, so that a storm of them opens no others', async () => {
  const { client, call, clock, vendor } = await startClient();
  vendor.script = (_seen, response) => {
    response.writeHead(503, { 'content-type': 'application/json' });
    response.write('{"error":');
    setImmediate(() => response.end(`"${'x'.repeat(5_000)}"}`));
  };
  for (let calls = 1; calls <= 8; calls += 1) {
    const failure = await failureOf(client.complete(call(), signal));
    expect(failure.outcome).toBe('failure');
    await waitFor(() => clock.pendingTimers === 0);
  }
  // A connection is free again one turn after its answer, so a call that follows at once takes a
  // second one.
  expect(vendor.connections).toBeLessThanOrEqual(2);
});

it('a refusal whose body has no end loses its connection at a bound', async () => {
  const { client, call, clock, vendor } = await startClient();
  vendor.script = (_seen, response) => {
    response.writeHead(500, { 'content-type': 'text/plain' });
    const pump = () => {
      if (response.destroyed) return;
      response.write('x'.repeat(8_000));
      setImmediate(pump);
    };
    pump();
  };
  expect((await failureOf(client.complete(call(), signal))).outcome).toBe('failure');
  await vendor.seen[0]?.gone;
  expect(clock.pendingTimers).toBe(0);
});

it('a refusal whose body stops coming loses its connection in time', async () => {
  const { client, call, clock, vendor } = await startClient();
  vendor.script = (_seen, response) => {
    response.writeHead(503, { 'content-type': 'text/plain' });
    response.write('wait');
  };
  await failureOf(client.complete(call(), signal));
  await clock.advance(1_000);
  await vendor.seen[0]?.gone;
  expect(clock.pendingTimers).toBe(0);
});

it.each([
  ['a whole answer', false, LIMITS.wholeHeadTimeoutMs],
  ['a stream', true, LIMITS.headTimeoutMs],
])('gives %s up when its head does not come, for another channel to try', async (...row) => {
  const [, stream, boundMs] = row;
  const { client, call, clock, vendor } = await startClient();
  vendor.script = () => {};
  const answer = stream
    ? client.stream(call({ stream }), signal)
    : client.complete(call({ stream }), signal);
  const failed = failureOf(answer);
  const seen = await waitFor(() => vendor.seen[0]);
  await clock.advance(boundMs);
  expect(await failed).toMatchObject({ outcome: 'timeout', retryElsewhere: true });
  await seen?.gone;
  expect(clock.pendingTimers).toBe(0);
});

it('bounds the first event of a stream apart from its head', async () => {
  const { client, call, clock, vendor } = await startClient();
  vendor.script = (_seen, response) => {
    beginStream(response);
    response.write(': keep-alive\n\n');
  };
  const failed = failureOf(client.stream(call({ stream: true }), signal));
  await waitFor(() => vendor.seen[0]);
  // Two steps: the head has come when the first bound passes without effect.
  await waitFor(() => clock.pendingTimers > 0);
  await clock.advance(LIMITS.firstTokenTimeoutMs);
  expect(await failed).toMatchObject({ outcome: 'timeout', retryElsewhere: true });
});

it('takes the bounds of the channel before its own', async () => {
  const { client, call, clock, vendor } = await startClient();
  vendor.script = () => {};
  const asked = call();
  const { channel } = asked.offer;
  const timeouts = { ...channel.timeouts, wholeHeadMs: 50 };
  const offer = { ...asked.offer, channel: { ...channel, timeouts } };
  const failed = failureOf(client.complete({ ...asked, offer }, signal));
  await waitFor(() => vendor.seen[0]);
  await clock.advance(50);
  expect(await failed).toMatchObject({ outcome: 'timeout' });
});

it('a wait for one of our own connections is bounded and not held against the vendor', async () => {
  const { client, call, clock, vendor } = await startClient(1);
  vendor.script = () => {};
  const first = failureOf(client.complete(call(), signal));
  await waitFor(() => vendor.seen[0]);
  const second = failureOf(client.complete(call(), signal));
  await clock.advance(2_000);
  expect(await second).toMatchObject({ outcome: 'not_sent', retryElsewhere: true });
  await clock.advance(LIMITS.wholeHeadTimeoutMs);
  expect(await first).toMatchObject({ outcome: 'timeout' });
  expect(vendor.seen).toHaveLength(1);
});
