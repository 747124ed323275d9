import { settlePromises, waitFor } from '@tollgate/testkit';
import type { VendorFailure } from '../domain/vendor';
import {
  CLIENT_BOUNDS as BOUNDS,
  type StartedClient,
  startVendorClient,
} from '../testing/start-vendor-client';
import { answerShortly } from '../testing/vendor-server';

let running: StartedClient | undefined;
afterEach(() => running?.close());

const { signal } = new AbortController();
const WAIT_MS = 1.5 * BOUNDS.connectTimeoutMs;

/** A client of four connections, to a vendor that never answers requests with the account's name. */
async function startClient() {
  const started = await startVendorClient({ connectionsPerChannelMax: 4 });
  running = started;
  const { call, channel, client, vendor } = started;
  let isHanging = true;
  vendor.script = (seen, response) => {
    if (!isHanging || seen.text.includes('prompt of c')) void answerShortly(seen, response);
  };
  const ask = (accountId: string, { signal } = new AbortController(), to = channel) => {
    const messages = Buffer.from(JSON.stringify([`prompt of ${accountId}`]));
    const candidate = { ...call().candidate, channel: to };
    return client.complete(call({ accountId, messages, candidate }), signal).then(
      () => 'answered',
      ({ outcome }: VendorFailure) => outcome,
    );
  };
  const arrived = async (count: number) => {
    await waitFor(() => vendor.seen.length >= count);
    await settlePromises();
    expect(vendor.seen).toHaveLength(count);
  };
  const crowdedOut = () => {
    const { candidate } = call({ candidate: { ...call().candidate, channel } });
    const isCrowded = (account: string) => client.healthOf(candidate, account).isCrowded === true;
    return ['a', 'b', 'c'].filter(isCrowded);
  };
  const answerAll = () => {
    isHanging = false;
  };
  return { ...started, ask, arrived, crowdedOut, answerAll };
}

test('a third account is answered while two hold all that they may have', async () => {
  const { arrived, ask, crowded, crowdedOut } = await startClient();
  const heavy = ['a', 'a', 'a', 'b', 'b'].map((account) => ask(account));
  await arrived(3);
  expect(crowded).toEqual(['chn_1 waiting', 'chn_1 waiting']);
  expect(crowdedOut()).toEqual(['a', 'b']);
  expect(await ask('c')).toBe('answered');
  await running?.clock.advance(WAIT_MS);
  expect(await Promise.all([heavy[2], heavy[4]])).toEqual(['not_sent', 'not_sent']);
});

test('a call that no longer waits is never sent, and takes no place from later ones', async () => {
  const { answerAll, arrived, ask, clock, crowded, crowdedOut, vendor } = await startClient();
  const controllers = [1, 2].map(() => new AbortController());
  const held = controllers.map((controller) => ask('a', controller));
  await arrived(2);
  const cancelled = new AbortController();
  const waiting = [ask('a', cancelled), ask('a')];
  cancelled.abort();
  await clock.advance(WAIT_MS);
  expect(await Promise.all(waiting)).toEqual(['aborted', 'not_sent']);
  for (const controller of controllers) controller.abort();
  expect(await Promise.all(held)).toEqual(['aborted', 'aborted']);
  await waitFor(() => !crowdedOut().includes('a'));
  expect(vendor.seen).toHaveLength(2);
  answerAll();
  expect(await Promise.all(['a', 'a', 'a'].map((account) => ask(account)))).toEqual([
    'answered',
    'answered',
    'answered',
  ]);
  // Two had places at once, as at first, and the third waited for one of them.
  expect(crowded).toHaveLength(3);
});

test('a channel with another address has all its connections, and what runs keeps its own', async () => {
  const { answerAll, arrived, ask, channel, client, crowdedOut, vendor } = await startClient();
  const before = ['a', 'a', 'a'].map((account) => ask(account));
  await arrived(2);
  const moved = { ...channel, baseUrl: `${vendor.baseUrl}/moved` };
  client.setChannels([moved]);
  expect(crowdedOut()[0]).toBeUndefined();
  answerAll();
  expect(await ask('a', undefined, moved)).toBe('answered');
  // What had waited is sent as soon as a connection of the old address is free for it.
  await waitFor(() => vendor.seen.length === 4);
  expect(await before[2]).toBe('answered');
});

test('what was planned before its channel moved sends its credential to nobody', async () => {
  const { ask, call, channel, client, vendor } = await startClient();
  // The vendor of the test is at the new address.
  const planned = { ...channel, baseUrl: 'http://127.0.0.1/v1', credential: 'of another vendor' };
  expect(await ask('c', undefined, planned)).toBe('not_sent');
  const failure: unknown = await client
    .stream(call({ stream: true, candidate: { ...call().candidate, channel: planned } }), signal)
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ outcome: 'not_sent', retryElsewhere: true });
  expect(vendor.seen).toHaveLength(0);
  expect(client.healthOf(call().candidate)).toEqual({
    obstacle: undefined,
    firstTokenMs: undefined,
  });
  expect(await ask('c')).toBe('answered');
});
