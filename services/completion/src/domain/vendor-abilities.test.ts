import { chatCall, exampleCall, TOOLS } from '../testing/vendor-call';
import { findInexpressibleIn } from './vendor-abilities';

const { parameters } = exampleCall();
const withMembers = (members: Readonly<Record<string, unknown>>) =>
  chatCall([], members).parameters;

it.each([
  [{ ...parameters, temperature: 1 }, undefined, undefined],
  [{ ...parameters, temperature: 1.5 }, 'temperature', undefined],
  [{ ...parameters, temperature: 0.5, topP: 1 }, undefined, undefined],
  [{ ...parameters, temperature: 0.5, topP: 0.5 }, 'top_p', undefined],
  [{ ...parameters, presencePenalty: 0, frequencyPenalty: 0 }, undefined, undefined],
  [{ ...parameters, presencePenalty: 0.5 }, 'presence_penalty', undefined],
  [{ ...parameters, frequencyPenalty: -1 }, 'frequency_penalty', undefined],
  [{ ...parameters, seed: 1n, user: 'someone' }, undefined, undefined],
  [withMembers({ n: 2 }), 'n', undefined],
  [withMembers({ logprobs: true }), 'logprobs', 'logprobs'],
  [withMembers({ logit_bias: { 5: 1 } }), 'logit_bias', 'logit_bias'],
  [withMembers({ tools: TOOLS, parallel_tool_calls: true }), undefined, undefined],
  [withMembers({ tools: TOOLS, parallel_tool_calls: false }), undefined, 'parallel_tool_calls'],
  [withMembers({ response_format: { type: 'json_object' } }), 'response_format', undefined],
  [withMembers({ response_format: { type: 'json_schema' } }), undefined, undefined],
  [withMembers({ reasoning_effort: 'low' }), undefined, undefined],
  [withMembers({ reasoning_effort: 'none' }), undefined, 'reasoning_effort'],
  [withMembers({ reasoning_effort: 'minimal' }), 'reasoning_effort', undefined],
  [withMembers({ reasoning_effort: 'xhigh' }), undefined, 'reasoning_effort'],
])('of %o Anthropic cannot express %s, Gemini %s, and the usual protocol everything', (...row) => {
  const [asked, anthropic, gemini] = row;
  const find = findInexpressibleIn(asked);
  expect(find('anthropic')).toBe(anthropic);
  expect(find('gemini')).toBe(gemini);
  expect(find('openai')).toBeUndefined();
  expect(find('simulator')).toBeUndefined();
});

test('the members of a request are parsed once, however many channels it asks for', () => {
  const asked = withMembers({ tools: TOOLS, logit_bias: { 5: 1 } });
  const parse = jest.spyOn(JSON, 'parse');
  try {
    const find = findInexpressibleIn(asked);
    for (let channel = 0; channel < 200; channel += 1) {
      expect([find('anthropic'), find('gemini')]).toEqual(['logit_bias', 'logit_bias']);
    }
    expect(parse).toHaveBeenCalledTimes(1);
  } finally {
    parse.mockRestore();
  }
});
