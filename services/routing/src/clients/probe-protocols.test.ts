import { PROBE_PROTOCOLS } from './probe-protocols';

const SECRET = 'a credential of a test';

it.each([
  [
    'openai',
    'https://vendor.example/v1/',
    'https://vendor.example/v1/chat/completions',
    { authorization: `Bearer ${SECRET}` },
  ],
  [
    'openai',
    'https://mine.example/openai?api-version=2024-10-21',
    'https://mine.example/openai/deployments/small/chat/completions?api-version=2024-10-21',
    { 'api-key': SECRET },
  ],
  [
    'anthropic',
    'https://vendor.example/v1',
    'https://vendor.example/v1/messages',
    { 'x-api-key': SECRET, 'anthropic-version': '2023-06-01' },
  ],
  [
    'gemini',
    'https://vendor.example/v1beta',
    'https://vendor.example/v1beta/models/small:generateContent',
    { 'x-goog-api-key': SECRET },
  ],
] as const)('asks a channel of %s at %s', (type, baseUrl, url, headers) => {
  expect(PROBE_PROTOCOLS[type].toRequest(baseUrl, SECRET, 'small')).toMatchObject({
    url,
    headers,
  });
  expect(PROBE_PROTOCOLS[type].toRequest(baseUrl, '', 'small').headers).not.toHaveProperty(
    Object.keys(headers)[0] ?? '',
  );
});

const ANSWERS = {
  openai: { choices: [{ message: { content: 'x' } }] },
  anthropic: { type: 'message', content: [] },
  gemini: { candidates: [{ finishReason: 'MAX_TOKENS' }] },
} as const;
const TYPES = ['openai', 'anthropic', 'gemini'] as const;

it.each(TYPES)('takes an answer of %s for one, and no other', (type) => {
  for (const other of TYPES) {
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
  const { url, headers } = PROBE_PROTOCOLS[type].toModelsRequest('https://v.example/v1/', SECRET);
  expect(url).toBe('https://v.example/v1/models');
  expect(headers).toEqual(
    PROBE_PROTOCOLS[type].toRequest('https://v.example', SECRET, 'm').headers,
  );
  expect(PROBE_PROTOCOLS[type].fromModels(list)).toEqual(['small']);
  expect(PROBE_PROTOCOLS[type].fromModels({ data: 'x', models: null })).toEqual([]);
});
