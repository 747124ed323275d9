import type { completionV1 } from '@tollgate/protos';
import { waitFor } from '@tollgate/testkit';
import { exampleInput, startWorld, type World } from './testing/completion-world';

let world: World;
beforeAll(async () => {
  world = await startWorld();
  await waitFor(() => world.service.readiness().ready);
});
afterAll(() => world.close());

async function collect(input: completionV1.CompletionInput) {
  const frames: completionV1.StreamCompletionResponse[] = [];
  for await (const frame of world.gateway.streamCompletion({ input })) frames.push(frame);
  const texts = frames.flatMap(({ frame }) =>
    frame?.$case === 'chunk' ? frame.value.choices.map((bytes) => bytes.toString()) : [],
  );
  const end = frames.at(-1)?.frame;
  return { frames, texts, end: end?.$case === 'end' ? end.value : undefined };
}

it('answers in one piece and charges the vendor’s usage', async () => {
  const answer = await world.gateway.complete({ input: exampleInput() });
  expect(JSON.parse(answer.choices.toString())).toEqual([
    { index: 0, message: { role: 'assistant', content: 'Hello there' }, finish_reason: 'stop' },
  ]);
  expect(answer).toMatchObject({ model: 'small', amount: 18n, attempts: 1, channelId: 'chn_1' });
  expect(answer.usage).toMatchObject({ promptTokens: 12, completionTokens: 3, totalTokens: 15 });
});

it('streams role, text, end and counts in our own frames', async () => {
  const { texts, end } = await collect(exampleInput());
  expect(texts).toEqual([
    '[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]',
    '[{"index":0,"delta":{"content":"Hello"},"finish_reason":null}]',
    '[{"index":0,"delta":{"content":" there"},"finish_reason":null}]',
    '[{"index":0,"delta":{},"finish_reason":"stop"}]',
  ]);
  expect(end).toMatchObject({ amount: 18n, failure: undefined });
});
