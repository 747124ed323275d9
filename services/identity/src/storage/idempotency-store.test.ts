import { answerCodec } from './idempotency-store';

test('an answer kept for a replay brings its amounts back', () => {
  const answer = { id: 'key_1', maxBudget: 9_007_199_254_740_993n, expiresAt: undefined };
  const kept = answerCodec.encode(answer);
  expect(kept).toBe('{"id":"key_1","maxBudget":{"$bigint":"9007199254740993"}}');
  expect(answerCodec.decode(kept)).toEqual({ id: 'key_1', maxBudget: answer.maxBudget });
});
