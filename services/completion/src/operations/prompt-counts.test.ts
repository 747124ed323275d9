import { createFakeClock, settlePromises } from '@tollgate/testkit';
import { createRunFixture, FINISH_PIECE, textPiece } from '../testing/run-fixture';

// What a vendor said of the prompt before its answer ended.
const SAID = { prompt: 20, completion: 1, cached: 16, cacheWrite: 2 };

it.each([
  ['says no counts at its end', undefined],
  ['ends with counts that make no sense', { prompt: 20, completion: -1, cached: 0 }],
])('a complete answer that %s costs the prompt as it was told before', async (_how, usage) => {
  const fixture = await createRunFixture(createFakeClock());
  const { vendor, out, over } = fixture.stream();
  await settlePromises();
  vendor.send({ kind: 'prompt', usage: SAID }, textPiece('one two three'), FINISH_PIECE);
  if (usage !== undefined) vendor.send({ kind: 'usage', usage });
  vendor.end();
  await over;
  expect(out.failure).toBeUndefined();
  expect(fixture.onlyRecord()).toMatchObject({
    source: 'counted',
    promptTokens: 20,
    cachedTokens: 16,
    cacheWriteTokens: 2,
    completionTokens: 3,
  });
});
