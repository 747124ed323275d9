import { locateEngine } from './describe-with-engine';

const NAMES = ['TOLLGATE_TEST_REDIS', 'TOLLGATE_TEST_REDIS_UNAVAILABLE'];
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

it('takes the engine that the environment names', () => {
  process.env.TOLLGATE_TEST_REDIS = 'redis://127.0.0.1:1';
  expect(locateEngine('redis')).toEqual({ url: 'redis://127.0.0.1:1' });
});

it('says why there is no engine, in the words of whoever tried to start one', () => {
  expect(locateEngine('redis')).toEqual({ reason: 'TOLLGATE_TEST_REDIS is not set' });
  process.env.TOLLGATE_TEST_REDIS_UNAVAILABLE = 'java is not installed';
  expect(locateEngine('redis')).toEqual({ reason: 'java is not installed' });
});
