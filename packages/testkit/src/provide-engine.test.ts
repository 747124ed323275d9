import { provideEngine } from './provide-engine';

const NAMES = [
  'TOLLGATE_TEST_REDIS',
  'TOLLGATE_TEST_REDIS_UNAVAILABLE',
  'TOLLGATE_TEST_CONTAINERS',
];
const before = NAMES.map((name) => [name, process.env[name]] as const);

beforeEach(() => {
  for (const name of NAMES) delete process.env[name];
});

afterAll(() => {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

it('takes the engine that the environment names before any other', async () => {
  process.env.TOLLGATE_TEST_REDIS = 'redis://127.0.0.1:1';
  process.env.TOLLGATE_TEST_CONTAINERS = 'off';
  const answer = await provideEngine('redis');
  expect(answer).toMatchObject({
    available: true,
    source: 'environment',
    url: 'redis://127.0.0.1:1',
  });
});

it('says why there is no engine, in the words of whoever tried to start one', async () => {
  process.env.TOLLGATE_TEST_REDIS_UNAVAILABLE = 'java is not installed';
  process.env.TOLLGATE_TEST_CONTAINERS = 'off';
  const answer = await provideEngine('redis');
  expect(answer.available).toBe(false);
  expect(JSON.stringify(answer)).toContain('java is not installed');
});
