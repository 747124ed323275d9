import { REAL_CHANNEL_TYPES, type RealChannelType } from '@tollgate/core';
import { PROBE_PROTOCOLS } from './probe-protocols';

const SECRET = 'a credential of a test';

const at = (baseUrl: string, capabilities: readonly string[] = []) => ({ baseUrl, capabilities });

it.each([
  ['small', [], { max_tokens: 1 }],
  ['gpt-5.5', [], { max_completion_tokens: 4096 }],
  ['o3-mini', [], { max_completion_tokens: 4096 }],
  ['my-deployment', ['max_completion_tokens'], { max_completion_tokens: 4096 }],
])('bounds the answer of %s (%j) so that it can be given: %j', (model, capabilities, bound) => {
  const channel = at('https://vendor.example/v1', capabilities);
  expect(PROBE_PROTOCOLS.openai.toRequest(channel, SECRET, model).body).toEqual({
    model,
    messages: [{ role: 'user', content: 'ping' }],
    ...bound,
  });
});

const ANSWERS: Readonly<Record<RealChannelType, Readonly<Record<string, unknown>>>> = {
  openai: { choices: [{ message: { content: 'x' } }] },
  anthropic: { type: 'message', content: [] },
  gemini: { candidates: [{ finishReason: 'MAX_TOKENS' }] },
};

it.each(REAL_CHANNEL_TYPES)('takes an answer of %s for one, and no other', (type) => {
  for (const other of REAL_CHANNEL_TYPES) {
    expect(PROBE_PROTOCOLS[type].isAnswer(ANSWERS[other])).toBe(other === type);
  }
  expect(PROBE_PROTOCOLS[type].isAnswer({ hello: 'world' })).toBe(false);
});

it.each([
  ['openai', { data: [{ id: 'small' }, { id: 7 }, 'x'] }],
  ['anthropic', { data: [{ id: 'small', type: 'model' }] }],
  [
    'gemini',
    {
      models: [
        { name: 'models/small', supportedGenerationMethods: ['generateContent'] },
        { name: 'models/vectors', supportedGenerationMethods: ['embedContent'] },
      ],
    },
  ],
] as const)('reads the models that a vendor of %s lists', (type, list) => {
  const { headers, path } = PROBE_PROTOCOLS[type].toModelsRequest(SECRET);
  expect(path).toBe('/models');
  expect(headers).toEqual(
    PROBE_PROTOCOLS[type].toRequest(at('https://v.example'), SECRET, 'm').headers,
  );
  expect(PROBE_PROTOCOLS[type].fromModels(list)).toEqual([{ name: 'small' }]);
  expect(PROBE_PROTOCOLS[type].fromModels({ data: 'x', models: null })).toEqual([]);
});

it.each([
  ['openai', { data: [{ id: 'm', context_length: 8192, max_completion_tokens: 4096 }] }],
  ['openai', { data: [{ id: 'm', max_model_len: 8192, max_completion_tokens: 4096 }] }],
  ['openai', { data: [{ id: 'm', context_window: 8192, max_completion_tokens: 4096 }] }],
  ['anthropic', { data: [{ id: 'm', max_input_tokens: 8192, max_tokens: 4096 }] }],
  [
    'gemini',
    {
      models: [
        {
          name: 'models/m',
          supportedGenerationMethods: ['generateContent'],
          inputTokenLimit: 8192,
          outputTokenLimit: 4096,
        },
      ],
    },
  ],
] as const)('takes the limits that a list of %s tells: %j', (type, list) => {
  const told = { name: 'm', contextLength: 8192, maxCompletionTokens: 4096 };
  expect(PROBE_PROTOCOLS[type].fromModels(list)).toEqual([told]);
});

it('leaves out limits that are no numbers of tokens', () => {
  const data = [0, -1, 1.5, '8192', 1e12, null].map((max_model_len) => ({
    id: 'm',
    max_model_len,
  }));
  const models = PROBE_PROTOCOLS.openai.fromModels({ data });
  expect(models).toEqual(data.map(() => ({ name: 'm' })));
});
