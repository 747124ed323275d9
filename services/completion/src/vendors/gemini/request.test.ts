import type { VendorCall } from '../../domain/vendor';
import { CONVERSATION, chatCall, exampleCall, failureIn, TOOLS } from '../../testing/vendor-call';
import { buildRequest } from './request';

const HI = [{ role: 'user', content: 'Hi' }];
const bodyOf = (call: VendorCall) =>
  JSON.parse(Buffer.concat([...buildRequest(call).body]).toString()) as Record<string, unknown>;
const named = (upstreamName: string, changes: Partial<VendorCall> = {}) => {
  const { candidate } = exampleCall();
  return { ...changes, candidate: { ...candidate, upstreamName } };
};

it.each([
  ['vendor-small', false, '/models/vendor-small:generateContent'],
  ['vendor-small', true, '/models/vendor-small:streamGenerateContent?alt=sse'],
  ['tunedModels/mine 1', false, '/tunedModels/mine%201:generateContent'],
])('goes to the method of the model %s (stream %s)', (upstreamName, stream, path) => {
  const request = buildRequest(chatCall(HI, {}, named(upstreamName, { stream })));
  expect(request.path).toBe(path);
  expect(request.headers).toMatchObject({ 'x-goog-api-key': 'a credential of a test' });
  expect(request.headers).not.toHaveProperty('authorization');
});

it('says no more than was asked', () => {
  expect(bodyOf(chatCall(HI))).toEqual({
    contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
    generationConfig: {},
  });
});

it('writes a conversation with instructions, images, parallel calls and their results', () => {
  expect(bodyOf(chatCall(CONVERSATION))).toMatchObject({
    systemInstruction: { parts: [{ text: 'Be brief.\n\nAnswer in German.' }] },
    contents: [
      {
        role: 'user',
        parts: [
          { text: 'Is this Zürich?' },
          { inlineData: { mimeType: 'image/png', data: 'iVBORw0K' } },
          {
            fileData: {
              mimeType: 'image/jpeg',
              fileUri: 'https://pictures.example/town.jpg?size=2',
            },
          },
        ],
      },
      {
        role: 'model',
        parts: [
          { text: 'Let me look.' },
          { functionCall: { name: 'weather', args: { town: 'Zürich' } } },
          { functionCall: { name: 'now', args: {} } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'weather', response: { sky: 'blue' } } },
          { functionResponse: { name: 'now', response: { output: 'noon' } } },
          { text: 'And?' },
        ],
      },
    ],
  });
});

it('signs calls in the history for models that refuse unsigned ones', () => {
  const body = bodyOf(chatCall(CONVERSATION, {}, named('gemini-3-pro')));
  const [, said] = body.contents as readonly { readonly parts: readonly object[] }[];
  expect(said?.parts[0]).not.toHaveProperty('thoughtSignature');
  expect(said?.parts[1]).toHaveProperty('thoughtSignature', 'skip_thought_signature_validator');
});

it('writes every parameter that the protocol has', () => {
  const { parameters } = exampleCall();
  const call = chatCall(
    HI,
    {},
    {
      maxTokens: 16,
      choices: 3,
      parameters: {
        ...parameters,
        temperature: 0,
        topP: 0.5,
        stop: ['end'],
        presencePenalty: 1,
        frequencyPenalty: -1,
        seed: 2n ** 33n + 5n,
      },
    },
  );
  expect(bodyOf(call).generationConfig).toEqual({
    temperature: 0,
    topP: 0.5,
    maxOutputTokens: 16,
    stopSequences: ['end'],
    candidateCount: 3,
    presencePenalty: 1,
    frequencyPenalty: -1,
    seed: 5,
  });
});

it('declares tools', () => {
  expect(bodyOf(chatCall(HI, { tools: TOOLS }))).toMatchObject({
    tools: [
      {
        functionDeclarations: [
          {
            name: 'weather',
            description: 'The weather of a town.',
            parametersJsonSchema: { type: 'object', properties: { town: { type: 'string' } } },
          },
          { name: 'now' },
        ],
      },
    ],
  });
});

it.each([
  ['auto', { mode: 'AUTO' }],
  ['none', { mode: 'NONE' }],
  ['required', { mode: 'ANY' }],
  [
    { type: 'function', function: { name: 'now' } },
    { mode: 'ANY', allowedFunctionNames: ['now'] },
  ],
])('uses them as %j asks', (tool_choice, functionCallingConfig) => {
  const body = bodyOf(chatCall(HI, { tools: TOOLS, tool_choice }));
  expect(body.toolConfig).toEqual({ functionCallingConfig });
});

it.each([
  [{ type: 'json_object' }, {}],
  [
    { type: 'json_schema', json_schema: { name: 'a', schema: { type: 'object' } } },
    { responseJsonSchema: { type: 'object' } },
  ],
])('asks for JSON as %j says', (response_format, expected) => {
  expect(bodyOf(chatCall(HI, { response_format })).generationConfig).toEqual({
    responseMimeType: 'application/json',
    ...expected,
  });
});

it('refuses an image whose kind nobody can tell', () => {
  const url = 'https://pictures.example/town';
  const messages = [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }];
  expect(failureIn(() => buildRequest(chatCall(messages)))).toMatchObject({
    outcome: 'not_sent',
    retryElsewhere: true,
    error: { code: 'VALIDATION_ERROR', param: 'messages' },
  });
});

it.each([
  ['vendor-small', undefined, { includeThoughts: true, thinkingBudget: 8192 }],
  ['vendor-small', 5000, { includeThoughts: true, thinkingBudget: 5000 }],
  ['vendor-small', 50_000, { includeThoughts: true, thinkingBudget: 24_576 }],
  ['vendor-small', 0, { thinkingBudget: 8192 }],
  ['gemini-3-pro', 5000, { includeThoughts: true, thinkingLevel: 'medium' }],
])('has %s think and show it where %s tokens are asked for', (name, thinkingBudget, expected) => {
  const call = chatCall(HI, { reasoning_effort: 'medium' }, named(name));
  const parameters = { ...call.parameters, thinkingBudget };
  expect(bodyOf({ ...call, parameters }).generationConfig).toEqual({ thinkingConfig: expected });
});

it('leaves out what was thought before: its protocol signs in another way', () => {
  const thinking_blocks = [{ type: 'thinking', thinking: 'Hm.', signature: 'c2lnbmVk' }];
  const messages = [...HI, { role: 'assistant', content: 'Hi', thinking_blocks }, ...HI];
  expect(JSON.stringify(bodyOf(chatCall(messages)))).not.toMatch(/Hm|c2lnbmVk/);
});
