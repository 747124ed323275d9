import { createMetrics } from '@tollgate/observability';
import { createFakeClock, settlePromises } from '@tollgate/testkit';
import { countEnd, createCompletionMetrics } from './metrics';
import { createRunFixture, FINISH_PIECE, textPiece } from './testing/run-fixture';
import { createUnreadMetrics } from './testing/unread-metrics';

test('a channel has its calls, first tokens and charges by its name', async () => {
  const clock = createFakeClock();
  const registry = createMetrics();
  const metrics = createCompletionMetrics(registry);
  const fixture = await createRunFixture(clock);
  const { vendor, over } = fixture.stream(undefined, { metrics });
  await settlePromises();
  vendor.send(textPiece('Hi'), FINISH_PIECE);
  vendor.send({ kind: 'usage', usage: { prompt: 20, completion: 5, cached: 0 } });
  vendor.end();
  await over;
  const lines = (await registry.expose()).split('\n').filter((line) => line.includes('"one"'));
  const figureOf = (name: string) =>
    lines
      .find((line) => line.startsWith(name))
      ?.split(' ')
      .at(-1);
  expect(figureOf('tollgate_completion_vendor_calls_total')).toBe('1');
  expect(figureOf('tollgate_completion_vendor_first_token_seconds_count')).toBe('1');
  // 25 tokens at 1,000,000 billionths for a million of them.
  expect(figureOf('tollgate_completion_vendor_charged_units_total')).toBe('2.5e-8');
});

test('names are labels up to a bound, and those that clients gave never are', () => {
  const { channelLabel } = createUnreadMetrics();
  const shared = (index: number) => channelLabel({ name: `c${index}`, ownerAccountId: null });
  const labels = new Set(Array.from({ length: 500 }, (_, index) => shared(index)));
  expect(labels.size).toBe(101);
  expect([shared(0), shared(499)]).toEqual(['c0', 'another']);
  expect(channelLabel({ name: 'mine', ownerAccountId: 'acc_1' })).toBe('of an account');
});

test('tokens are counted by model, those beyond the bound together', async () => {
  const registry = createMetrics();
  const metrics = createCompletionMetrics(registry);
  const ended = { reason: 'stop', source: 'exact', latencyMs: 5 } as const;
  for (let index = 0; index < 103; index += 1) {
    const model = { name: `m${index}` };
    countEnd(metrics, model, { ...ended, promptTokens: 10, completionTokens: 3 });
  }
  const exposed = await registry.expose();
  expect(exposed).toContain('tollgate_completion_tokens_total{model="m0",kind="prompt"} 10');
  expect(exposed).toContain(
    'tollgate_completion_tokens_total{model="another",kind="completion"} 9',
  );
  expect(exposed).toContain('tollgate_completion_requests_total{reason="stop",source="exact"} 103');
});
