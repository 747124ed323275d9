import { settlePromises, waitFor } from '@tollgate/testkit';
import type { VendorCall, VendorCompletion, VendorFailure } from '../domain/vendor';
import type { RouteChannel } from '../routing/candidate';
import {
  type ClientOptions,
  type StartedClient,
  startVendorClient,
} from '../testing/start-vendor-client';
import { answerJson, answerShortly, beginStream, textChunk } from '../testing/vendor-server';

let running: StartedClient | undefined;
afterEach(() => running?.close());

/** Twice the usual wait for a silent stream, and less than a call waits in its queue. */
const SILENCE_MS = 4_000;

/**
 * A client of two channels with four connections each, where account a holds the two that it may
 * have of the first one: the answers to its first two requests never end.
 */
async function startCrowded(changes: Partial<RouteChannel> = {}) {
  const started = await startVendorClient({ connectionsPerChannelMax: 4 });
  running = started;
  const { call, client, vendor } = started;
  const timeouts = { ...started.channel.timeouts, connectMs: 5_000 };
  const channel = { ...started.channel, timeouts, ...changes };
  const other = { ...channel, id: 'chn_2' };
  client.setChannels([channel, other]);
  const callOf = (accountId: string, more: Partial<VendorCall> = {}) => {
    const { candidate } = call();
    return call({ accountId, stream: true, candidate: { ...candidate, channel }, ...more });
  };
  const ask = (accountId: string, more?: Partial<VendorCall>) =>
    client.stream(callOf(accountId, more), new AbortController().signal).then(
      () => 'answered',
      ({ outcome }: VendorFailure) => outcome,
    );
  vendor.script = (_seen, response) => {
    beginStream(response);
    response.write(textChunk('Hello'));
  };
  const holders = [new AbortController(), new AbortController()];
  await Promise.all(holders.map(({ signal }) => client.stream(callOf('a'), signal)));
  vendor.script = answerShortly;
  const health = (accountId: string) => client.healthOf(callOf(accountId).candidate, accountId);
  const letGo = () => {
    for (const holder of holders) holder.abort();
  };
  return { ...started, ask, callOf, channel, health, holders, letGo, other };
}

test('calls that wait in the queue of their account say nothing of the vendor', async () => {
  const { ask, clock, health, letGo } = await startCrowded();
  const waiting = Array.from({ length: 6 }, () => ask('a'));
  await clock.advance(SILENCE_MS);
  expect(['a', 'c'].map((account) => health(account).standing)).toEqual(['trusted', 'trusted']);
  letGo();
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['answered']));
  expect(health('c').firstTokenMs).toBe(0);
});

test('a call that waits in its queue is not the trial of a vendor that has failed', async () => {
  const { ask, channel, client, clock, vendor, health } = await startCrowded();
  client.setChannels([channel]);
  vendor.script = (_seen, response) => answerJson(response, {}, 500);
  for (let call = 0; call < 10; call += 1) await ask(`failed ${call}`);
  expect(health('c').obstacle?.kind).toBe('failing');
  await clock.advance(1_000);
  vendor.script = answerShortly;
  void ask('a');
  expect(await ask('c')).toBe('answered');
  expect(health('a').obstacle).toBeUndefined();
});

test('a call that waits in its queue has no place among those that its channel takes at once', async () => {
  const { ask, health } = await startCrowded({ concurrencyMax: 4 });
  for (let call = 0; call < 3; call += 1) void ask('a');
  expect(health('c').obstacle).toBeUndefined();
  expect(await ask('c')).toBe('answered');
});

test('calls stay in their queue while a connection is free and their channel takes no more', async () => {
  const { ask, channel, client, holders, other, vendor } = await startCrowded();
  const waiting = [ask('a'), ask('a')];
  client.setChannels([{ ...channel, concurrencyMax: 1 }, other]);
  holders[0]?.abort();
  await vendor.seen[0]?.gone;
  await settlePromises();
  expect(vendor.seen).toHaveLength(2);
  holders[1]?.abort();
  expect(await Promise.all(waiting)).toEqual(['answered', 'answered']);
});

test('calls leave their queue at once when their channel is to take more', async () => {
  const { ask, channel, client, holders, other, vendor } = await startCrowded();
  const waiting = ask('a');
  client.setChannels([{ ...channel, concurrencyMax: 1 }, other]);
  holders[0]?.abort();
  await vendor.seen[0]?.gone;
  await settlePromises();
  expect(vendor.seen).toHaveLength(2);
  client.setChannels([{ ...channel, concurrencyMax: 2 }, other]);
  expect(await waiting).toBe('answered');
});

/** Eight connections to a channel that takes five calls at once: `answer` ends one of them. */
async function startFull(options: ClientOptions = {}) {
  const started = await startVendorClient({ connectionsPerChannelMax: 8, ...options });
  running = started;
  const { call, client, vendor } = started;
  const channel = { ...started.channel, concurrencyMax: 5 };
  client.setChannels([channel]);
  const answers: (() => void)[] = [];
  vendor.script = (seen, response) => {
    answers.push(() => void answerShortly(seen, response));
  };
  const ask = (accountId: string, more: Partial<VendorCall> = {}) => {
    const { candidate } = call();
    const asked = call({ accountId, candidate: { ...candidate, channel }, ...more });
    return client.complete(asked, new AbortController().signal).then(
      () => 'answered',
      ({ outcome }: VendorFailure) => outcome,
    );
  };
  const arrived = (count: number) => waitFor(() => answers.length === count);
  return { ...started, answers, arrived, ask };
}

test('a whole answer that ends at a full channel makes room for the next call in the queue alone', async () => {
  const { answers, arrived, ask } = await startFull();
  const calls = ['a', 'a', 'a', 'a', 'a', 'a', 'a'].map((account) => ask(account));
  await arrived(4);
  calls.push(ask('b'));
  await arrived(5);
  for (let answered = 0; answered < calls.length; answered += 1) {
    answers[answered]?.();
    await arrived(Math.min(6 + answered, calls.length));
  }
  expect(new Set(await Promise.all(calls))).toEqual(new Set(['answered']));
});

test('a call whose turn comes while the breaker of its model is open is not made', async () => {
  const { ask, channel, client, letGo, vendor } = await startCrowded();
  client.setChannels([channel]);
  const waiting = ask('a');
  vendor.script = (_seen, response) => answerJson(response, {}, 500);
  for (let call = 0; call < 10; call += 1) await ask(`failed ${call}`);
  const { length } = vendor.seen;
  letGo();
  expect(await waiting).toBe('not_sent');
  expect(vendor.seen).toHaveLength(length);
});

/** A trial of account a, whose other three connections are held, with a call behind it in its queue. */
async function startTrial(options: ClientOptions = {}, more: Partial<VendorCall> = {}) {
  const full = await startFull(options);
  const { arrived, ask, clock, vendor } = full;
  const held = ['a', 'a', 'a', 'a'].map((account) => ask(account));
  await arrived(4);
  const waiting = [ask('a', more), ask('a')] as const;
  const { script } = vendor;
  vendor.script = (_seen, response) => answerJson(response, {}, 500);
  for (let call = 0; call < 10; call += 1) await ask(`failed ${call}`);
  vendor.script = script;
  await clock.advance(1_000);
  return { ...full, held, waiting };
}

test('a trial that succeeds with a whole answer lets the calls behind it in the queue go', async () => {
  const { answers, arrived, held, waiting } = await startTrial();
  answers[0]?.();
  await arrived(5);
  answers[4]?.();
  expect(await waiting[0]).toBe('answered');
  await arrived(6);
  for (const answer of [...answers.slice(1, 4), answers[5]]) answer?.();
  expect(new Set(await Promise.all([...held, ...waiting]))).toEqual(new Set(['answered']));
});

test('a trial that fails sends the calls behind it in the queue elsewhere, all of them together', async () => {
  const { answers, arrived, ask, held, vendor, waiting } = await startTrial();
  const behind = [waiting[1], ask('a'), ask('a')];
  vendor.script = (_seen, response) => {
    answers.push(() => answerJson(response, {}, 500));
  };
  answers[0]?.();
  await arrived(5);
  answers[4]?.();
  expect(await waiting[0]).toBe('failure');
  expect(await Promise.all(behind)).toEqual(['not_sent', 'not_sent', 'not_sent']);
  for (const answer of answers.slice(1, 4)) answer();
  expect(new Set(await Promise.all(held))).toEqual(new Set(['answered']));
});

test('a trial whose long answer is still being read lets the next call in the queue go', async () => {
  const reading = Promise.withResolvers<VendorCompletion>();
  const bounds = { answerBytesMax: 100_000, heldBytesMax: 200_000 };
  const { answers, arrived, held, vendor, waiting } = await startTrial(
    { ...bounds, vectors: { read: () => reading.promise } },
    { embedding: { dimensions: undefined, inputs: 1 } },
  );
  const { script } = vendor;
  vendor.script = (_seen, response) => {
    answers.push(() => answerJson(response, 'x'.repeat(70_000)));
    vendor.script = script;
  };
  answers[0]?.();
  await arrived(5);
  answers[4]?.();
  await arrived(6);
  reading.resolve({ choices: Buffer.from('[]'), text: '', finishReason: 'stop', usage: undefined });
  expect(await waiting[0]).toBe('answered');
  for (const answer of [...answers.slice(1, 4), answers[5]]) answer?.();
  expect(new Set(await Promise.all([...held, ...waiting]))).toEqual(new Set(['answered']));
});

test('the calls of one request wait in queues no longer than one of them may', async () => {
  const { ask, clock } = await startCrowded();
  const queueWait = { ms: 0 };
  const first = ask('a', { queueWait });
  await clock.advance(7_500);
  expect(await first).toBe('not_sent');
  const second = ask('a', { queueWait });
  await clock.advance(0);
  expect(await second).toBe('not_sent');
});
