import { asObject } from '@tollgate/core';
import { requestFaultOf } from './request-faults';

const SECRET = 'words of a prompt';
const faultOf = (error: unknown) =>
  requestFaultOf(asObject(error) ?? {}, 'the vendor answered 400');

it.each([
  ['OpenAI', { code: 'context_length_exceeded', message: 'x', param: 'messages' }],
  ['vLLM', { message: "This model's maximum context length is 4096 tokens.", code: 400 }],
  ['Anthropic', { type: 'invalid_request_error', message: 'prompt is too long: 9 > 8 maximum' }],
  ['Gemini', { code: 400, message: 'The input token count (9) exceeds the maximum number.' }],
])('a prompt that is too long for %s is said so', (_vendor, error) => {
  const fault = faultOf(error);
  expect(fault).toMatchObject({ code: 'CONTEXT_LENGTH_EXCEEDED', param: 'messages' });
});

it.each([
  'maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.',
  'prompt is too long: 9001 tokens > 8192 maximum',
  'The input token count (9001) exceeds the maximum number of tokens allowed (8192).',
])('a client is told how long its prompt is and how long it may be: %s', (message) => {
  const sentence = "The messages are longer than the model's context: 9001 tokens, 8192 at most.";
  expect(faultOf({ message }).publicMessage).toBe(sentence);
});

it.each([
  ['OpenAI', { code: 'content_policy_violation', message: SECRET }],
  ['Azure OpenAI', { code: 'content_filter', message: SECRET, param: 'prompt' }],
  ['Anthropic', { message: 'Output blocked by content filtering policy' }],
])('a request that is against a policy of %s is said so', (_vendor, error) => {
  expect(faultOf(error)).toMatchObject({ code: 'CONTENT_POLICY', param: 'messages' });
});

const violation = (field: string) => ({
  code: 400,
  status: 'INVALID_ARGUMENT',
  message: SECRET,
  details: [{ fieldViolations: [{ field, description: SECRET }] }],
});

it.each([
  ['temperature', { code: 'unsupported_value', param: 'temperature', message: SECRET }],
  ['max_tokens', { param: 'max_completion_tokens', message: SECRET }],
  ['messages', { param: 'messages[1].content[0].image_url', message: SECRET }],
  ['max_tokens', { type: 'invalid_request_error', message: 'max_tokens: 9 > 8, the maximum' }],
  ['stop', { message: `stop_sequences: ${SECRET}` }],
  ['messages', { message: `messages.0.content.1.image.source: ${SECRET}` }],
  ['n', violation('generation_config.candidate_count')],
  ['tools', violation('tools[0].function_declarations[0].name')],
])('the member %s is named for %j, and nothing else', (param, error) => {
  const fault = faultOf(error);
  expect(fault).toMatchObject({ code: 'VALIDATION_ERROR', param });
  expect(`${fault.publicMessage} ${fault.message}`).not.toContain(SECRET);
});

it.each([
  [{ param: 'api_key', message: SECRET }],
  [{ param: 'constructor', message: 'constructor: x' }],
  [{ message: `${SECRET}: temperature` }],
  [null],
  [SECRET],
])('%j names no member', (error) => {
  const fault = faultOf(error);
  expect(fault).toMatchObject({ code: 'VALIDATION_ERROR', param: undefined });
  expect(fault.publicMessage).not.toContain(SECRET);
});
