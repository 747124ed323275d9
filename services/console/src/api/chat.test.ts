import { readAnswer, readFrame } from './chat';

test('a frame tells its model, text and usage', () => {
  const frame = (more: object) => readFrame(`data: ${JSON.stringify({ model: 'small', ...more })}`);
  expect(frame({ choices: [{ delta: { content: 'Hel' } }] })).toEqual([
    { kind: 'model', model: 'small' },
    { kind: 'text', text: 'Hel' },
  ]);
  expect(frame({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 5 } })).toEqual([
    { kind: 'model', model: 'small' },
    { kind: 'usage', promptTokens: 3, completionTokens: 5 },
  ]);
});

test('comments and empty lines tell nothing, and the end is the end', () => {
  expect(readFrame(': keep-alive')).toEqual([]);
  expect(readFrame('')).toEqual([]);
  expect(readFrame('data: [DONE]')).toEqual([{ kind: 'done' }]);
});

test('a failure in the middle is told in the words of the API', () => {
  const failure = { success: false, data: null, error: { code: 'X', message: 'It broke.' } };
  expect(readFrame(`data: ${JSON.stringify(failure)}`)).toEqual([
    { kind: 'failed', message: 'It broke.' },
  ]);
});

test('a call of a tool comes in pieces, each with its place', () => {
  const frame = (call: object) =>
    `data: ${JSON.stringify({ choices: [{ delta: { tool_calls: [call] } }] })}`;
  expect(readFrame(frame({ index: 0, function: { name: 'weather', arguments: '' } }))).toEqual([
    { kind: 'tool', index: 0, name: 'weather', text: '' },
  ]);
  expect(readFrame(frame({ index: 1, function: { arguments: '{"a"' } }))).toEqual([
    { kind: 'tool', index: 1, name: '', text: '{"a"' },
  ]);
});

async function readAll(
  lines: readonly string[],
  options: { breaksOff?: boolean; stops?: boolean },
) {
  const stopping = new AbortController();
  async function* arrive() {
    yield* lines;
    if (options.stops === true) stopping.abort();
    if (options.breaksOff === true) throw new TypeError('network error');
  }
  const events = [];
  for await (const event of readAnswer(arrive(), stopping.signal)) events.push(event);
  return events.map(({ kind }) => kind);
}

const TEXT = 'data: {"choices":[{"delta":{"content":"Hel"}}]}';

test('a connection that breaks off keeps what came, and says that it broke off', async () => {
  expect(await readAll([TEXT], { breaksOff: true })).toEqual(['text', 'cut']);
  expect(await readAll([TEXT], {})).toEqual(['text', 'cut']);
  expect(await readAll([TEXT, 'data: [DONE]'], { breaksOff: true })).toEqual(['text', 'done']);
  expect(await readAll([TEXT], { stops: true })).toEqual(['text']);
});
