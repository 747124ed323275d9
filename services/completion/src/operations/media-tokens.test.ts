import { createFakeClock, settlePromises } from '@tollgate/testkit';
import {
  createRunFixture,
  exampleRequest,
  FINISH_PIECE,
  textPiece,
  wholeAnswer,
} from '../testing/run-fixture';
import { complete } from './complete';

const FILE = { bytes: 0, images: 0, files: 1 };
const IMAGES = { bytes: 0, images: 2, files: 0 };

/** An account that is charged, and leaves, prompts with images and files. */
async function start() {
  const fixture = await createRunFixture(createFakeClock());
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

/** Of the text of the example's prompt. */
const TEXT_TOKENS = 8;

test('a file that was left uncounted is abandoned as far as counts of others pass its charge', async () => {
  const { askCounted, deps, leave, noted, uncounted, vendors } = await start();
  await leave(FILE, 'Hi');
  expect(noted).not.toHaveBeenCalled();
  await askCounted(FILE, 650_000 + TEXT_TOKENS);
  await leave(FILE, 'Hi');
  expect(noted.mock.calls).toEqual([['acc_1', 630_000, 630_000n]]);
  expect(uncounted()).toEqual([630_000]);
  // Below what was paid for the file that was counted, and then no more.
  await leave(FILE, 'Hi');
  vendors.answers.push(wholeAnswer(5, 2));
  await expect(complete(deps, exampleRequest())).rejects.toMatchObject({
    code: 'RATE_LIMIT_EXCEEDED',
  });
});

test('so it is before its first text, besides what is usual', async () => {
  const { askCounted, leave, noted, uncounted } = await start();
  await askCounted(FILE, 650_000 + TEXT_TOKENS);
  await leave(FILE);
  const calls = noted.mock.calls.map(([, tokens]) => tokens);
  expect(calls).toEqual([630_000, 20_000 + TEXT_TOKENS + 500]);
  expect(uncounted()).toEqual([630_000]);
});

test('images are learned apart, by a running average', async () => {
  const { askCounted, leave, noted } = await start();
  await askCounted(IMAGES, 2 * 10_000 + TEXT_TOKENS);
  await askCounted(IMAGES, 2 * 2_000 + TEXT_TOKENS);
  await leave(FILE, 'Hi');
  expect(noted).not.toHaveBeenCalled();
  await leave(IMAGES, 'Hi');
  expect(noted.mock.calls).toEqual([['acc_1', 14_000, 14_000n]]);
});

test.each([
  ['usual', 20_000 + TEXT_TOKENS, undefined],
  ['counted higher, where the vendor counted this one', 650_000, 30_000],
])('nothing is abandoned of a file where others are %s', async (_what, counted, prompt) => {
  const { askCounted, leave, noted } = await start();
  await askCounted(FILE, counted);
  await leave(FILE, 'Hi', prompt);
  expect(noted).not.toHaveBeenCalled();
});

test('a prompt of which nobody took anything is no count of a file', async () => {
  const { leave, noted, stream } = await start();
  const { over, vendor } = stream(exampleRequest({ media: FILE, maxTokens: 10 }));
  await settlePromises();
  vendor.send(textPiece('Hi'), FINISH_PIECE);
  vendor.end();
  await over;
  await leave(FILE, 'Hi');
  expect(noted).not.toHaveBeenCalled();
});
