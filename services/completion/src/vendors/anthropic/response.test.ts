import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exampleCall, failureIn } from '../../testing/vendor-call';
import { parseCompletion } from './response';

const parse = (value: unknown) =>
  parseCompletion(Buffer.from(JSON.stringify(value)), exampleCall());
const MESSAGE = { type: 'message', content: [{ type: 'text', text: 'Hi' }] };

it('writes thoughts, text and calls of tools in our form', () => {
  const body = readFileSync(join(__dirname, '__fixtures__', 'completion-tools.json'));
  const { choices, ...rest } = parseCompletion(body, exampleCall());
  expect(JSON.parse(choices.toString())).toEqual([
    {
      index: 0,
      message: {
        role: 'assistant',
        content: 'Let me look.',
        reasoning_content: 'Two calls will do.',
        thinking_blocks: [
          { type: 'thinking', thinking: 'Two calls will do.', signature: 'c2lnbmVk' },
        ],
        tool_calls: [
          {
            id: 'toolu_fixture_1',
            type: 'function',
            function: { name: 'weather', arguments: '{"town":"Zürich"}' },
          },
          { id: 'toolu_fixture_2', type: 'function', function: { name: 'now', arguments: '{}' } },
        ],
      },
      finish_reason: 'tool_calls',
    },
  ]);
  expect(rest).toEqual({
    text: 'Two calls will do.Let me look.weather{"town":"Zürich"}now{}',
    finishReason: 'tool_calls',
    usage: { prompt: 100, completion: 44, cached: 10, cacheWrite: 0 },
  });
});

it('has no signatures of a vendor that signs none', () => {
  const content = [
    { type: 'thinking', thinking: 'Hm.' },
    { type: 'text', text: 'Hi' },
  ];
  const [choice] = JSON.parse(parse({ ...MESSAGE, content }).choices.toString()) as unknown[];
  expect(choice).toMatchObject({
    message: { role: 'assistant', content: 'Hi', reasoning_content: 'Hm.' },
  });
  expect(choice).not.toHaveProperty('message.thinking_blocks');
});

it.each([
  [
    { input_tokens: 5, output_tokens: 2 },
    { prompt: 5, completion: 2, cached: 0 },
  ],
  [
    { input_tokens: -5, output_tokens: 2, cache_read_input_tokens: 9 },
    { prompt: Number.NaN, completion: 2, cached: 9 },
  ],
  [
    { input_tokens: '5', output_tokens: 2 },
    { prompt: Number.NaN, completion: 2, cached: 0 },
  ],
  [undefined, undefined],
])('counts %j as %j', (usage, expected) => {
  expect(parse({ ...MESSAGE, usage }).usage).toEqual(expected);
});

it.each([
  ['no JSON', 'x'],
  ['an error with status 200', { type: 'error', error: { type: 'api_error' } }],
  ['a message without content', { type: 'message' }],
])('%s is no answer', (_what, value) => {
  expect(failureIn(() => parse(value)).outcome).toBe('failure');
});
