import { createFakeClock, settlePromises } from '@tollgate/testkit';
import {
  createRunFixture,
  exampleRequest,
  FINISH_FRAME,
  textFrame,
  wholeAnswer,
} from '../testing/run-fixture';
import type { VendorUsage } from '../usage/count';
import { createAbandonedWork } from './abandoned-work';
import { complete } from './complete';

const REFUSAL = { code: 'RATE_LIMIT_EXCEEDED', retryable: true, retryAfterMs: 45_000 };

/** An account whose client leaves requests before their first text, and pays for others. */
async function start() {
  const clock = createFakeClock();
  const fixture = await createRunFixture(clock);
  // Of a prompt of 400,000 bytes.
  fixture.billing.setAvailable('acc_1', 10_000_000n);
  await clock.advance(15_000);
  const long = { messages: Buffer.from(`[{"role":"user","content":"${'x'.repeat(400_000)}"}]`) };
  const leave = async (text?: string) => {
    const leaving = new AbortController();
    const request = exampleRequest({ ...long, signal: leaving.signal, maxTokens: 10 });
    const { over, vendor } = fixture.stream(request);
    await settlePromises();
    if (text !== undefined) vendor.send(textFrame(text));
    await settlePromises();
    leaving.abort();
    await over;
  };
  const ask = (accountId = 'acc_1') => {
    const request = exampleRequest();
    fixture.vendors.answers.push(wholeAnswer(5, 2));
    return complete(fixture.deps, { ...request, caller: { ...request.caller, accountId } });
  };
  return { ask, clock, fixture, leave };
}

test('who leaves before the first text again and again is refused for the rest of the minute', async () => {
  const { ask, clock, fixture, leave } = await start();
  await leave();
  await leave();
  const called = fixture.vendors.calls.length;
  await expect(ask()).rejects.toMatchObject(REFUSAL);
  expect(fixture.vendors.calls).toHaveLength(called);
  fixture.billing.setAvailable('acc_2', 100_000n);
  await expect(ask('acc_2')).resolves.toBeDefined();
  await clock.advance(45_000);
  await expect(ask()).resolves.toBeDefined();
});

test('who leaves after text has come pays for it, and may go on', async () => {
  const { ask, leave } = await start();
  for (let left = 0; left < 4; left += 1) await leave('Hi');
  await expect(ask()).resolves.toBeDefined();
});

/** A stream of a model that thinks for so long before its first word, and is counted or left then. */
async function think(
  { clock, fixture }: Pick<Awaited<ReturnType<typeof start>>, 'clock' | 'fixture'>,
  thinkMs: number,
  usage?: VendorUsage,
) {
  const leaving = new AbortController();
  const request = exampleRequest({ signal: leaving.signal });
  const { over, vendor } = fixture.stream(request);
  await clock.advance(thinkMs);
  vendor.send(textFrame('Hi'));
  await settlePromises();
  if (usage === undefined) leaving.abort();
  else {
    vendor.send(FINISH_FRAME, { kind: 'usage', usage });
    vendor.end();
  }
  await over;
}

/** What `metrics` was told of thoughts that nobody pays, in nano-units. */
function watchUnseen(fixture: Awaited<ReturnType<typeof createRunFixture>>) {
  const inc = jest.spyOn(fixture.deps.metrics.vendorAbsorbed, 'inc');
  return () =>
    inc.mock.calls
      .filter(([labels]) => (labels as { cause: string }).cause === 'unseen_thoughts')
      .map(([, units]) => Math.round((units as number) * 1e9));
}

const USAGE = { prompt: 5, completion: 500, cached: 0, reasoning: 499 };

test('thoughts that were never shown are estimated when a client leaves, and are abandoned', async () => {
  const { ask, clock, fixture } = await start();
  const unseen = watchUnseen(fixture);
  await think({ clock, fixture }, 10, USAGE);
  await think({ clock, fixture }, 16);
  await think({ clock, fixture }, 1_000);
  // Fifty tokens a millisecond at a nano-unit each, and no more than the model may make.
  expect(unseen()).toEqual([800, 1_000]);
  for (let left = 0; left < 200; left += 1) await think({ clock, fixture }, 20);
  await expect(ask()).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
});

test('a model that shows what it thinks, or that nobody has counted, leaves nothing unpaid', async () => {
  const { clock, fixture } = await start();
  const unseen = watchUnseen(fixture);
  await think({ clock, fixture }, 1_000);
  await think({ clock, fixture }, 10, { ...USAGE, completion: 1 });
  await think({ clock, fixture }, 1_000);
  expect(unseen()).toEqual([]);
});

test('an account may abandon what editors do, and as much again as it paid for', () => {
  const work = createAbandonedWork(createFakeClock());
  const isRefused = () => {
    try {
      work.requireFew('acc_1');
      return false;
    } catch {
      return true;
    }
  };
  for (let left = 0; left < 80; left += 1) work.noteAbandoned('acc_1', 2_000);
  expect(isRefused()).toBe(false);
  work.noteAbandoned('acc_1', 100_000);
  expect(isRefused()).toBe(true);
  work.notePaid('acc_1', 150_000);
  expect(isRefused()).toBe(false);
});
