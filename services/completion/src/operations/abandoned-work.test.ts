import { type ModelKind, nano } from '@tollgate/core';
import { createFakeClock, settlePromises } from '@tollgate/testkit';
import { answerTooLong } from '../domain/vendor-failures';
import type { VendorUsage } from '../domain/vendor-usage';
import {
  createRunFixture,
  exampleRequest,
  FINISH_PIECE,
  textPiece,
  wholeAnswer,
} from '../testing/run-fixture';
import { exampleCall } from '../testing/vendor-call';
import { usualTokensOf } from '../usage/estimate';
import { vendorUsageOf } from '../vendors/openai/response';
import { createAbandonedWork } from './abandoned-work';
import { complete } from './complete';
import { promptWeightOf } from './request';
import type { FinishedRequest } from './worked-tokens';

const REFUSAL = { code: 'RATE_LIMIT_EXCEEDED', retryable: true, retryAfterMs: 45_000 };

/** An account whose client leaves requests before their first text, and pays for others. */
async function start(kind: ModelKind = 'chat') {
  const clock = createFakeClock();
  const fixture = await createRunFixture(clock, { kind });
  // Of a prompt of 400,000 bytes.
  fixture.billing.setAvailable('acc_1', 10_000_000n);
  await clock.advance(15_000);
  const long = { messages: Buffer.from(`[{"role":"user","content":"${'x'.repeat(400_000)}"}]`) };
  const leave = async (text?: string) => {
    const leaving = new AbortController();
    const request = exampleRequest({ ...long, signal: leaving.signal, maxTokens: 10 });
    const { over, vendor } = fixture.stream(request);
    await settlePromises();
    if (text !== undefined) vendor.send(textPiece(text));
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
  vendor.send(textPiece('Hi'));
  await settlePromises();
  if (usage === undefined) leaving.abort();
  else {
    vendor.send(FINISH_PIECE, { kind: 'usage', usage });
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

test('thoughts that a vendor counts beside its answer tell how fast its model thinks', async () => {
  const { clock, fixture } = await start();
  const unseen = watchUnseen(fixture);
  const counts = { prompt_tokens: 5, completion_tokens: 1, total_tokens: 505 };
  const thought = { completion_tokens_details: { reasoning_tokens: 499 } };
  await think({ clock, fixture }, 10, vendorUsageOf({ ...counts, ...thought }));
  await think({ clock, fixture }, 16);
  expect(unseen()).toEqual([800]);
});

test('a model that shows what it thinks, or that nobody has counted, leaves nothing unpaid', async () => {
  const { clock, fixture } = await start();
  const unseen = watchUnseen(fixture);
  await think({ clock, fixture }, 1_000);
  await think({ clock, fixture }, 10, { ...USAGE, completion: 1 });
  await think({ clock, fixture }, 1_000);
  expect(unseen()).toEqual([]);
});

/** The sum of what `metrics` was told that abandoned answers took, in nano-units. */
function watchAbandoned(fixture: Awaited<ReturnType<typeof createRunFixture>>) {
  const inc = jest.spyOn(fixture.deps.metrics.vendorAbsorbed, 'inc');
  return () =>
    inc.mock.calls
      .filter(([labels]) => (labels as { cause: string }).cause === 'client_gone')
      .reduce((sum, [, units]) => sum + Math.round((units as number) * 1e9), 0);
}

/** Streams that wait together for their first text, and are left after so long. */
async function leaveTogether(
  { clock, fixture }: Pick<Awaited<ReturnType<typeof start>>, 'clock' | 'fixture'>,
  count: number,
  afterMs: number,
) {
  const leaving = new AbortController();
  const left: Promise<void>[] = [];
  for (let asked = 0; asked < count; asked += 1) {
    left.push(fixture.stream(exampleRequest({ signal: leaving.signal })).over);
    await settlePromises();
  }
  await clock.advance(afterMs);
  leaving.abort();
  await Promise.allSettled(left);
}

test('an answer that is left before its first text counts by how long its vendor worked', async () => {
  const { ask, clock, fixture } = await start();
  const abandoned = watchAbandoned(fixture);
  await leaveTogether({ clock, fixture }, 1, 16_000);
  // Five of the prompt, and fifty tokens a second; for a moment what a vendor writes before it hears.
  expect(abandoned()).toBe(5 + 800);
  await leaveTogether({ clock, fixture }, 1, 1_000);
  expect(abandoned()).toBe(805 + 505);
  // At most what the model may make, a thousand tokens each: beyond what a minute allows.
  await clock.advance(60_000 - (clock.monotonicMs() % 60_000));
  await leaveTogether({ clock, fixture }, 201, 30_000);
  expect(abandoned()).toBe(805 + 505 + 201 * 1_005);
  await expect(ask()).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
});

test.each([
  ['of a whole answer that nobody waited for its vendor’s own count holds', 700, undefined],
  ['a short one is not taken for longer than its vendor counted', 2, undefined],
  ['vectors that nobody waited for are the prompt alone', 0, { dimensions: undefined, inputs: 1 }],
])('%s', async (_what, completionTokens, embedding) => {
  const { fixture } = await start(embedding === undefined ? 'chat' : 'embedding');
  const abandoned = watchAbandoned(fixture);
  const noted = jest.spyOn(fixture.deps.abandoned, 'noteAbandoned');
  const leaving = new AbortController();
  const vendors = Object.assign(fixture.vendors, {
    async complete() {
      leaving.abort();
      return wholeAnswer(5, completionTokens, completionTokens === 0 ? '' : 'Hi');
    },
  });
  const request = exampleRequest({ signal: leaving.signal, embedding });
  await expect(complete({ ...fixture.deps, vendors }, request)).rejects.toBeDefined();
  expect(abandoned()).toBe(5 + completionTokens);
  const promptTokens = usualTokensOf(promptWeightOf(request));
  const tokens = promptTokens + completionTokens;
  expect(noted.mock.calls).toEqual([['acc_1', tokens, BigInt(tokens)]]);
});

test('nobody is taken to have left more than the model may make', () => {
  const { candidate } = exampleCall();
  const model = { ...candidate.model, completionTokensMax: 100 };
  const left = {
    candidate: { ...candidate, model },
    request: exampleRequest({ choices: 2 }),
    attempts: { calledMs: 0 },
    startedMs: 0,
  } as unknown as FinishedRequest;
  expect(createAbandonedWork(createFakeClock()).unreadTokensOf(left, 1_000)).toBe(200);
});

test('an answer too long to be given in one piece counts as abandoned', async () => {
  const { ask, fixture } = await start();
  const noted = jest.spyOn(fixture.deps.abandoned, 'noteAbandoned');
  const messages = Buffer.from(`[{"role":"user","content":"${'x'.repeat(60_000)}"}]`);
  const spent = { prompt: 60_000, completion: 500, cached: 0 };
  const askLong = async () => {
    fixture.vendors.answers.push(answerTooLong(spent, 'it as a stream'));
    await expect(complete(fixture.deps, exampleRequest({ messages }))).rejects.toBeDefined();
  };
  for (let asked = 0; asked < 3; asked += 1) await askLong();
  await expect(ask()).resolves.toBeDefined();
  await askLong();
  expect(noted).toHaveBeenLastCalledWith('acc_1', 60_500, 60_500n);
  await expect(ask()).rejects.toMatchObject(REFUSAL);
});

test('many cheap tokens that were paid for buy no dear ones that are abandoned', async () => {
  const { ask, fixture, leave } = await start();
  // As two million tokens of a model that costs a thousandth.
  for (let paid = 0; paid < 20; paid += 1) fixture.deps.abandoned.notePaid('acc_1', nano(100n));
  await leave();
  await leave();
  await leave();
  await expect(ask()).rejects.toMatchObject(REFUSAL);
});

test('an account may abandon what editors do, and beyond it what costs as much as it paid', () => {
  const work = createAbandonedWork(createFakeClock());
  const isRefused = () => {
    try {
      work.requireFew('acc_1');
      return false;
    } catch {
      return true;
    }
  };
  for (let left = 0; left < 80; left += 1) work.noteAbandoned('acc_1', 2_000, nano(1_000n));
  expect(isRefused()).toBe(false);
  // Two fifths of it are free, and the rest costs 300.
  work.noteAbandoned('acc_1', 100_000, nano(500n));
  expect(isRefused()).toBe(true);
  work.notePaid('acc_1', nano(299n));
  expect(isRefused()).toBe(true);
  work.notePaid('acc_1', nano(1n));
  expect(isRefused()).toBe(false);
});
