import { chatCall, exampleCall, TOOLS } from '../testing/vendor-call';
import { inexpressibleParam } from './vendor-abilities';

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
  [withMembers({ reasoning_effort: 'none' }), 'reasoning_effort', 'reasoning_effort'],
  [withMembers({ reasoning_effort: 'minimal' }), 'reasoning_effort', undefined],
  [withMembers({ reasoning_effort: 'xhigh' }), undefined, 'reasoning_effort'],
])('of %o Anthropic cannot express %s, Gemini %s, and the usual protocol everything', (...row) => {
  const [asked, anthropic, gemini] = row;
  expect(inexpressibleParam('anthropic', asked)).toBe(anthropic);
  expect(inexpressibleParam('gemini', asked)).toBe(gemini);
  expect(inexpressibleParam('openai', asked)).toBeUndefined();
  expect(inexpressibleParam('simulator', asked)).toBeUndefined();
});
