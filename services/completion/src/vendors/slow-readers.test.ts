import { waitFor } from '@tollgate/testkit';
import type { VendorFailure } from '../domain/vendor';
import {
  CLIENT_BOUNDS as BOUNDS,
  piecesOf,
  type StartedClient,
  startVendorClient,
} from '../testing/start-vendor-client';
import {
  beginStream,
  DONE_CHUNK,
  FINISH_CHUNK,
  textChunk,
  USAGE_CHUNK,
} from '../testing/vendor-server';

let running: StartedClient | undefined;
afterEach(() => running?.close());

const { signal } = new AbortController();
const LONG_TEXT = textChunk('x'.repeat(4_000)).repeat(6);

/** A stream that nobody reads, whose vendor is held up; `finish` lets its vendor end it. */
async function openHeldUp(begin = LONG_TEXT) {
  const started = await startVendorClient({ heldBytesMax: 1_000_000 });
  running = started;
  const { call, client, clock, rooms, takeOutcomes, vendor } = started;
  let finish = (_text: string) => {};
  vendor.script = (_seen, response) => {
    beginStream(response);
    response.write(begin);
    finish = (text) => void response.end(text);
  };
  const stream = await client.stream(call({ stream: true }), signal);
  await waitFor(() => rooms.answers.heldBytes >= BOUNDS.streamBytesMax);
  const endOf = () =>
    piecesOf(stream).then(
      () => 'complete',
      ({ outcome }: VendorFailure) => outcome,
    );
  return { clock, endOf, takeOutcomes, finish: (text: string) => finish(text) };
}

test('time in which its reader holds a vendor up is none of all that it may take', async () => {
  const { clock, endOf, finish, takeOutcomes } = await openHeldUp();
  await clock.advance(2 * BOUNDS.totalTimeoutMs);
  const end = endOf();
  await clock.advance(BOUNDS.totalTimeoutMs - 1);
  finish(FINISH_CHUNK + DONE_CHUNK);
  expect(await end).toBe('complete');
  expect(takeOutcomes()).toEqual(['success']);
  await waitFor(() => clock.pendingTimers === 0);
});

test('what a vendor takes beside that is bounded as ever', async () => {
  const { clock, endOf, takeOutcomes } = await openHeldUp();
  await clock.advance(2 * BOUNDS.totalTimeoutMs);
  const end = endOf();
  await clock.advance(BOUNDS.totalTimeoutMs);
  expect(await end).toBe('timeout');
  expect(takeOutcomes()).toEqual(['success', 'timeout']);
});

test('nor is it time in which the last word of a finished answer is awaited', async () => {
  const { clock, endOf, finish, takeOutcomes } = await openHeldUp(LONG_TEXT + FINISH_CHUNK);
  await clock.advance(4_999);
  const end = endOf();
  await clock.advance(4_999);
  finish(USAGE_CHUNK + DONE_CHUNK);
  expect(await end).toBe('complete');
  expect(takeOutcomes()).toEqual(['success']);
  await waitFor(() => clock.pendingTimers === 0);
});
