import {
  answerBoundOf,
  anthropicTarget,
  geminiTarget,
  openaiTarget,
  type VendorTarget,
  vendorBaseOf,
} from './vendor-requests';

const SECRET = 'a credential of a test';
const AZURE = 'https://mine.example/openai?api-version=';

const openaiAt = (baseUrl: string) => (credential: string) =>
  openaiTarget({ baseUrl, credential }, 'chat/completions', 'my deployment');

test.each<[string, (credential: string) => VendorTarget, string, string, string]>([
  [
    'OpenAI',
    openaiAt('https://vendor.example/v1'),
    '/chat/completions',
    'authorization',
    `Bearer ${SECRET}`,
  ],
  [
    'Azure',
    openaiAt(`${AZURE}2024-10-21`),
    '/deployments/my%20deployment/chat/completions?api-version=2024-10-21',
    'api-key',
    SECRET,
  ],
  [
    'Anthropic',
    (credential) => anthropicTarget(credential, 'messages'),
    '/messages',
    'x-api-key',
    SECRET,
  ],
  [
    'Gemini',
    (credential) => geminiTarget(credential, 'generateContent', 'small'),
    '/models/small:generateContent',
    'x-goog-api-key',
    SECRET,
  ],
])(
  '%s is asked at a path, and with a credential if there is one',
  (...[, target, path, name, value]) => {
    const asked = target(SECRET);
    expect(asked.path).toBe(path);
    expect(asked.headers[name]).toBe(value);
    const { [name]: _, ...others } = asked.headers;
    expect(target('')).toEqual({ path, headers: others });
  },
);

test.each([
  ['', '/embeddings'],
  ['2024-10-21%2Dpreview', '/deployments/small/embeddings?api-version=2024-10-21-preview'],
  ['2024%2F10', '/deployments/small/embeddings?api-version=2024%2F10'],
])('a base URL with the version “%s” is asked at %s', (version, path) => {
  const channel = { baseUrl: `${AZURE}${version}`, credential: '' };
  expect(openaiTarget(channel, 'embeddings', 'small').path).toBe(path);
});

test('a tuned model of Gemini is a resource of its own', () => {
  expect(geminiTarget('', 'embedContent', 'tunedModels/a b').path).toBe(
    '/tunedModels/a%20b:embedContent',
  );
});

test('the query of a base URL and the slashes at its end are no part of addresses under it', () => {
  expect(vendorBaseOf('https://vendor.example:8443/v1//?x=1')).toEqual({
    origin: 'https://vendor.example:8443',
    path: '/v1',
  });
  expect(vendorBaseOf('https://vendor.example').path).toBe('');
});

test.each([
  ['o3-mini', [], true],
  ['gpt-5', [], true],
  ['openai/gpt-5.5', [], true],
  ['gpt-4.1', [], false],
  ['pogo1', [], false],
  ['my-deployment', ['tools'], false],
  ['my-deployment', ['tools', 'max_completion_tokens'], true],
])(
  '%s behind a channel with the capabilities %j refuses max_tokens: %s',
  (...[name, capabilities, refuses]) => {
    const bound = refuses ? 'max_completion_tokens' : 'max_tokens';
    expect(answerBoundOf({ capabilities }, name)).toBe(bound);
  },
);
