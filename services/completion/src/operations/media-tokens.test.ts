import { AppError } from '@tollgate/core';
import { createFakeClock, settlePromises } from '@tollgate/testkit';
import { aborted } from '../domain/vendor-failures';
import {
  createRunFixture,
  exampleRequest,
  FINISH_PIECE,
  textPiece,
  wholeAnswer,
} from '../testing/run-fixture';
import { unreadable } from '../vendors/protocol/failures';
import { complete } from './complete';

const FILE = { bytes: 0, images: 0, files: 1 };
const IMAGES = { bytes: 0, images: 2, files: 0 };

/** An account that is charged, and leaves, prompts with images and files. */
async function start(channels = 1) {
  const fixture = await createRunFixture(createFakeClock(), { channels });
  fixture.billing.setAvailable('acc_1', 100_000_000n);
  const noted = jest.spyOn(fixture.deps.abandoned, 'noteAbandoned');
  const absorbed = jest.spyOn(fixture.deps.metrics.vendorAbsorbed, 'inc');
  const askCounted = async (media: typeof FILE, promptTokens: number) => {
    fixture.vendors.answers.push(wholeAnswer(promptTokens, 2));
    await complete(fixture.deps, exampleRequest({ media, maxTokens: 10 }));
  };
  const leave = async (media: typeof FILE, text?: string, prompt?: number) => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const { over, vendor } = fixture.stream(exampleRequest({ media, signal, maxTokens: 10 }));
    await settlePromises();
    const usage = { prompt, completion: undefined, cached: 0 };
    if (prompt !== undefined) vendor.send({ kind: 'prompt', usage });
    if (text !== undefined) vendor.send(textPiece(text));
    await settlePromises();
    leaving.abort();
    await over;
  };
  const uncounted = () =>
    absorbed.mock.calls
      .filter(([labels]) => (labels as { cause: string }).cause === 'uncounted_media')
      .map(([, units]) => Math.round((units as number) * 1e9));
  return { ...fixture, askCounted, leave, noted, uncounted };
}

/** The most that the text of the example's prompt has, in natural language. */
const TEXT_TOKENS = 32;

test('a file that was left uncounted is told as far as counts of others pass its charge', async () => {
  const { askCounted, leave, noted, uncounted } = await start();
  await leave(FILE, 'Hi');
  expect(uncounted()).toEqual([]);
  await askCounted(FILE, 650_000 + TEXT_TOKENS);
  await leave(FILE, 'Hi');
  expect(uncounted()).toEqual([630_000]);
  // It may have had one page: its account may go on.
  expect(noted).not.toHaveBeenCalled();
});

test('so it is before its first text, besides what is usual', async () => {
  const { askCounted, leave, noted, uncounted } = await start();
  await askCounted(FILE, 650_000 + TEXT_TOKENS);
  await leave(FILE);
  const calls = noted.mock.calls.map(([, tokens]) => tokens);
  expect(calls).toEqual([20_000 + 8 + 500]);
  expect(uncounted()).toEqual([630_000]);
});

test('images are learned apart, by a running average', async () => {
  const { askCounted, leave, uncounted } = await start();
  await askCounted(IMAGES, 2 * 10_000 + TEXT_TOKENS);
  await askCounted(IMAGES, 2 * 2_000 + TEXT_TOKENS);
  await leave(FILE, 'Hi');
  expect(uncounted()).toEqual([]);
  await leave(IMAGES, 'Hi');
  expect(uncounted()).toEqual([14_000]);
});

test.each([
  ['usual', 20_000 + TEXT_TOKENS, undefined],
  ['counted higher, where the vendor counted this one', 650_000, 30_000],
])('nothing is told of a file where others are %s', async (_what, counted, prompt) => {
  const { askCounted, leave, uncounted } = await start();
  await askCounted(FILE, counted);
  await leave(FILE, 'Hi', prompt);
  expect(uncounted()).toEqual([]);
});

test('a prompt of which nobody took anything is no count of a file', async () => {
  const { leave, stream, uncounted } = await start();
  const { over, vendor } = stream(exampleRequest({ media: FILE, maxTokens: 10 }));
  await settlePromises();
  vendor.send(textPiece('Hi'), FINISH_PIECE);
  vendor.end();
  await over;
  await leave(FILE, 'Hi');
  expect(uncounted()).toEqual([]);
});

test('nothing is told of a file that the last call did not get, whatever the call before worked', async () => {
  const { askCounted, deps, uncounted, vendors } = await start(2);
  // So that the second channel, which is called last, is known.
  vendors.answers.push(unreadable('the vendor answered with nonsense'));
  await askCounted(FILE, 650_000 + TEXT_TOKENS);
  const leaving = new AbortController();
  const called = jest.spyOn(vendors, 'complete');
  called.mockRejectedValueOnce(unreadable('the vendor answered with nonsense'));
  called.mockImplementationOnce(async () => {
    leaving.abort();
    throw aborted(false);
  });
  const { signal } = leaving;
  const asked = complete(deps, exampleRequest({ media: FILE, maxTokens: 10, signal }));
  await expect(asked).rejects.toBeInstanceOf(AppError);
  expect(called).toHaveBeenCalledTimes(2);
  expect(uncounted()).toEqual([]);
});
