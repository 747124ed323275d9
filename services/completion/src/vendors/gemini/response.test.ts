import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exampleCall, failureIn } from '../../testing/vendor-call';
import { parseCompletion } from './response';

const CALL = exampleCall({ choices: 2 });
const parse = (value: unknown) => parseCompletion(Buffer.from(JSON.stringify(value)), CALL);
const CANDIDATES = [{ content: { parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }];

it('writes thoughts, text and calls of tools in our form', () => {
  const body = readFileSync(join(__dirname, '__fixtures__', 'completion-tools.json'));
  const { choices, ...rest } = parseCompletion(body, CALL);
  expect(JSON.parse(choices.toString())).toEqual([
    {
      index: 0,
      message: {
        role: 'assistant',
        content: 'Let me look.',
        reasoning_content: 'Two calls will do.',
        tool_calls: [
          {
            id: 'call_req_1_0_0',
            type: 'function',
            function: { name: 'weather', arguments: '{"town":"Zürich"}' },
          },
          { id: 'given_by_vendor', type: 'function', function: { name: 'now', arguments: '{}' } },
        ],
      },
      finish_reason: 'tool_calls',
    },
  ]);
  expect(rest).toEqual({
    text: 'Two calls will do.Let me look.weather{"town":"Zürich"}now{}',
    finishReason: 'tool_calls',
    // What tools brought is prompt, what it thought is answer.
    usage: { prompt: 95, completion: 44, cached: 10, reasoning: 10 },
  });
});

it('answers a blocked prompt with as many filtered choices as were asked for', () => {
  const answer = parse({ promptFeedback: { blockReason: 'SAFETY' } });
  expect(JSON.parse(answer.choices.toString())).toMatchObject([
    { index: 0, message: { content: '' }, finish_reason: 'content_filter' },
    { index: 1, message: { content: '' }, finish_reason: 'content_filter' },
  ]);
  expect(answer.usage).toBeUndefined();
});

it.each([
  [{ promptTokenCount: 5 }, { prompt: 5, completion: 0, cached: 0 }],
  [
    {
      promptTokenCount: 30,
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 5 },
        { modality: 'AUDIO', tokenCount: 25 },
      ],
      toolUsePromptTokenCount: 10,
      toolUsePromptTokensDetails: [{ modality: 'AUDIO', tokenCount: 10 }],
      candidatesTokenCount: 8,
      candidatesTokensDetails: [{ modality: 'AUDIO', tokenCount: 8 }],
    },
    { prompt: 40, completion: 8, cached: 0, promptAudio: 35, completionAudio: 8 },
  ],
  [
    {
      promptTokenCount: 5,
      promptTokensDetails: 'AUDIO',
      candidatesTokensDetails: [null, { modality: 'AUDIO' }],
    },
    { prompt: 5, completion: 0, cached: 0, completionAudio: 0 },
  ],
  [
    { promptTokenCount: -1, candidatesTokenCount: 1.5 },
    { prompt: Number.NaN, completion: 1.5, cached: 0 },
  ],
  [undefined, undefined],
])('counts %j as %j', (usageMetadata, expected) => {
  expect(parse({ candidates: CANDIDATES, usageMetadata }).usage).toEqual(expected);
});

it.each([
  ['no JSON', 'x'],
  ['an answer without candidates', {}],
  ['more candidates than asked for', { candidates: [...CANDIDATES, ...CANDIDATES, {}] }],
  ['a candidate out of place', { candidates: [{ index: 7 }] }],
])('%s is no answer', (_what, value) => {
  expect(failureIn(() => parse(value)).outcome).toBe('failure');
});
