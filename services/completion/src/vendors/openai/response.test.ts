import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VendorFailure } from '../../domain/vendor';
import { exampleCall } from '../../testing/vendor-call';
import { parseCompletion } from './response';

const CALL = exampleCall({ choices: 2 });

const parse = (value: unknown) => parseCompletion(Buffer.from(JSON.stringify(value)), CALL);

it('writes the choices in our form and keeps the vendor’s counts', () => {
  const body = readFileSync(join(__dirname, '__fixtures__', 'completion-usual.json'));
  const completion = parseCompletion(body, CALL);
  expect(JSON.parse(completion.choices.toString())).toEqual([
    { index: 0, message: { role: 'assistant', content: 'Grüße 👋' }, finish_reason: 'stop' },
  ]);
  expect(completion).toMatchObject({
    text: 'Grüße 👋',
    finishReason: 'stop',
    usage: { prompt: 9, completion: 5, cached: 4, promptAudio: 0 },
  });
});

it('keeps what the vendor says was thought and was audio', () => {
  const usage = {
    prompt_tokens: 30,
    completion_tokens: 20,
    prompt_tokens_details: { cached_tokens: 4, audio_tokens: 12 },
    completion_tokens_details: { reasoning_tokens: 3, audio_tokens: 7 },
  };
  expect(parse({ choices: [{}], usage }).usage).toMatchObject({
    prompt: 30,
    completion: 20,
    cached: 4,
    reasoning: 3,
    promptAudio: 12,
    completionAudio: 7,
  });
});

it('counts thoughts among the answer of a vendor that counts them beside it', () => {
  const body = readFileSync(join(__dirname, '__fixtures__', 'completion-thoughts-beside.json'));
  const { usage } = parseCompletion(body, CALL);
  expect(usage).toMatchObject({ prompt: 12, completion: 387, cached: 4, reasoning: 386 });
});

it.each([
  ['are among the answer', { completion_tokens: 400, total_tokens: 412 }, 400],
  ['are among it by a sum that nobody explains', { completion_tokens: 1, total_tokens: 400 }, 1],
  ['have no sum', { completion_tokens: 1 }, 1],
  ['are none', { completion_tokens: 1, total_tokens: 13, completion_tokens_details: {} }, 1],
])('takes the count of an answer as it came where thoughts %s', (_what, changes, completion) => {
  const thought = { completion_tokens_details: { reasoning_tokens: 386 } };
  const usage = { prompt_tokens: 12, ...thought, ...changes };
  expect(parse({ choices: [{}], usage }).usage).toMatchObject({ prompt: 12, completion });
});

it.each([
  ['stop', 'stop'],
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['content_filter', 'content_filter'],
  ['function_call', 'tool_calls'],
  ['end_turn', 'stop'],
  [null, 'stop'],
  ['constructor', 'stop'],
  ['__proto__', 'stop'],
])('answers finish reason %s as %s', (vendor, ours) => {
  const message = { role: 'assistant', content: '' };
  expect(parse({ choices: [{ message, finish_reason: vendor }] }).finishReason).toBe(ours);
});

const MANY = `[${'{},'.repeat(1_000_000)}{}]`;
const NEST = '['.repeat(5_000) + ']'.repeat(5_000);

it.each<readonly [what: string, body: string]>([
  ['HTML', '<html><body>login</body></html>'],
  ['nothing', ''],
  ['a list', '[]'],
  ['no choices', '{"choices":[]}'],
  ['more choices than asked for', '{"choices":[{},{},{}]}'],
  ...['1e999', '-1', '0.5', '2', '"0"'].map(
    (index) => [`the index ${index}`, `{"choices":[{"index":${index}}]}`] as const,
  ),
  ['what nests beyond the bound', `{"choices":[{"message":{"tool_calls":[${NEST}]}}]}`],
  ['more values than any answer has', `{"choices":[{}],"x":${MANY}}`],
  ['an error with status 200', '{"error":{"message":"secret"},"choices":[{}]}'],
])('takes %s for no answer', (_what, body) => {
  expect(() => parseCompletion(Buffer.from(body), CALL)).toThrow(VendorFailure);
});

it('answers arguments that a vendor writes as an object as text, and counts them', () => {
  const called = { name: 'weather', arguments: { city: 'Oslo' } };
  const message = { content: null, tool_calls: [{ id: 'call_1', function: called }] };
  const { choices, text } = parse({ choices: [{ message }] });
  expect(JSON.parse(choices.toString())).toMatchObject([
    { message: { tool_calls: [{ function: { arguments: '{"city":"Oslo"}' } }] } },
  ]);
  expect(text).toBe('weather{"city":"Oslo"}');
});

it('answers an absent content as empty text, and as null beside tool calls', () => {
  const contentOf = (message: object) => {
    const choices: unknown = JSON.parse(parse({ choices: [{ message }] }).choices.toString());
    return (choices as readonly { readonly message: { readonly content: unknown } }[])[0]?.message
      .content;
  };
  expect(contentOf({})).toBe('');
  expect(contentOf({ content: null, tool_calls: [{ id: 'call_1' }] })).toBeNull();
});

it.each([
  { reasoning_content: 'Hm.', content: 'Hi' },
  { reasoning: 'Hm.', content: 'Hi' },
  { reasoning: 'Hm.', reasoning_content: 'Hm.', content: 'Hi' },
  {
    content: [
      { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
      { type: 'text', text: 'Hi' },
    ],
  },
])('hands on thoughts as %j has them, and counts them once', (message) => {
  const { choices, text } = parse({ choices: [{ message, finish_reason: 'stop' }] });
  expect(JSON.parse(choices.toString())).toEqual([
    {
      index: 0,
      message: { role: 'assistant', content: 'Hi', reasoning_content: 'Hm.' },
      finish_reason: 'stop',
    },
  ]);
  expect(text).toBe('Hm.Hi');
});

it('keeps of thoughts that go on past the tokens that were asked for what was asked', () => {
  const message = { reasoning_content: 'word '.repeat(100), content: 'Hi' };
  const body = Buffer.from(JSON.stringify({ choices: [{ message }] }));
  const { choices, isPastAsked, text } = parseCompletion(body, exampleCall({ maxTokens: 4 }));
  expect(text).toMatch(/^(word ){40}$/);
  expect(JSON.parse(choices.toString())).toMatchObject([
    { message: { content: '', reasoning_content: text }, finish_reason: 'length' },
  ]);
  expect(isPastAsked).toBe(true);
});

it('keeps the calls of tools beside a text that ends in half a character', () => {
  const tools = [{ id: 'call_1', type: 'function', function: { name: 'now', arguments: '{}' } }];
  const message = { content: 'Hi \ud83d', tool_calls: tools };
  const { choices, isPastAsked } = parse({ choices: [{ message, finish_reason: 'tool_calls' }] });
  expect(JSON.parse(choices.toString())).toMatchObject([{ message, finish_reason: 'tool_calls' }]);
  expect(isPastAsked).toBeFalsy();
});
