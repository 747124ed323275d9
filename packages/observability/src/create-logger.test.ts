import { AppError } from '@tollgate/core';
import { createLogger } from './index';

function capture(level: 'debug' | 'info' | 'warn' | 'error' = 'info') {
  const lines: string[] = [];
  const destination = { write: (line: string) => lines.push(line) };
  const logger = createLogger({ level, name: 'billing', destination });
  const last = () => JSON.parse(lines.at(-1) ?? '') as Record<string, unknown>;
  return { logger, lines, last };
}

test('a line is one JSON object with level, time, name, fields and the sentence', () => {
  const { logger, lines, last } = capture();
  logger.info({ port: 8080, amount: 10n }, 'started');
  expect(lines[0]).toMatch(/^\{.*\}\n$/);
  expect(last()).toMatchObject({ level: 'info', name: 'billing', port: 8080, msg: 'started' });
  expect(last().time).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
});

test('lines below the level are not written', () => {
  const { logger, lines } = capture('warn');
  logger.info({}, 'quiet');
  logger.warn({}, 'loud');
  expect(lines).toHaveLength(1);
});

test('a child carries its fields on every line', () => {
  const { logger, last } = capture();
  logger.child({ accountId: 'acc_1' }).info({ seq: 2 }, 'settled');
  expect(last()).toMatchObject({ accountId: 'acc_1', seq: 2 });
});

test.each([
  [{ authorization: 'Bearer abcdefgh' }],
  [{ headers: { authorization: 'hush-hush' } }],
  [{ request: { headers: { authorization: 'hush-hush' } } }],
  [{ user: { password: 'hush-hush' } }],
  [{ channel: { credential: 'hush-hush' } }],
  [{ note: 'key tg_live_hushhush_hushhush was used' }],
  [{ note: 'tg_live_xk_Lya-hush-hush_hush is the key' }],
  [{ note: `refreshed by tg_refresh_${'hush-'.repeat(8)}ABC` }],
  [{ note: `the code tg_reset_${'hush_'.repeat(8)}ABC is used` }],
  [{ note: 'signed by whsec_hushhushhush' }],
  [{ note: `https://vendor.example/v1beta/models?key=AIzaSy${'hush-'.repeat(6)}ABC` }],
  [{ uri: 'mongodb://root:hush@db:27017' }],
  [{ note: 'cannot reach mongodb+srv://root:hush/ABC@db/tollgate' }],
  [{ note: `the vendor was given gsk_${'hush'.repeat(10)}ABC` }],
  [{ deep: { er: { still: { text: 'Bearer hushhushhush' } } } }],
  [{ sent: [{ token: 'hush-hush' }] }],
  [{ reason: Object.assign(new Error('refused'), { password: 'hush-hush' }) }],
])('the secret in %j never reaches a line', (fields) => {
  const { logger, lines } = capture();
  logger.error(fields, 'failed');
  expect(lines.join('')).not.toMatch(/hush|abcdefgh/);
  expect(lines.join('')).toContain('[redacted]');
});

test('the secret of a child never reaches a line, and what was logged stays as it was', () => {
  const { logger, lines } = capture();
  const fields = { request: { headers: { authorization: 'hush-hush', accept: '*' } } };
  logger.child({ user: { password: 'hush-hush' } }).info(fields, 'asked');
  expect(lines.join('')).not.toContain('hush');
  expect(lines.join('')).toContain('"accept":"*"');
  expect(fields.request.headers.authorization).toBe('hush-hush');
});

test('secrets in the sentence and in an error are replaced too', () => {
  const { logger, lines } = capture();
  const cause = new Error('refused tg_live_hush_hush');
  logger.error({ error: new Error('outer', { cause }) }, 'used tg_live_hush_hush');
  expect(lines.join('')).not.toContain('hush');
});

test('an error is logged with its message, its stack and its cause', () => {
  const { logger, last } = capture();
  logger.error({ error: new Error('outer', { cause: new Error('inner') }) }, 'failed');
  expect(last().error).toMatchObject({
    message: 'outer',
    stack: expect.stringContaining('create-logger.test') as string,
    cause: { message: 'inner' },
  });
});

test('what a library hangs on its errors is not logged', () => {
  const { logger, lines } = capture();
  const error = Object.assign(new Error('refused'), { code: 11000, document: { text: 'private' } });
  logger.error({ error }, 'failed');
  expect(lines.join('')).toContain('11000');
  expect(lines.join('')).not.toContain('private');
});

test('an expected failure is logged with its code and cause, without a stack', () => {
  const { logger, last } = capture();
  const cause = Object.assign(new Error('connect'), { code: 'ECONNREFUSED', stack: undefined });
  logger.warn({ error: new AppError('SERVICE_UNAVAILABLE', { cause }) }, 'billing is away');
  expect(last().error).toEqual({
    type: 'AppError',
    code: 'SERVICE_UNAVAILABLE',
    message: expect.any(String) as string,
    cause: { type: 'Error', code: 'ECONNREFUSED', message: 'connect' },
  });
});

test('every failure of an aggregate is logged, a circle of causes ends', () => {
  const { logger, last } = capture();
  const circle = new Error('circle');
  circle.cause = circle;
  logger.error({ error: new AggregateError([new Error('one'), circle], 'both') }, 'failed');
  expect(last().error).toMatchObject({ errors: [{ message: 'one' }, { message: 'circle' }] });
});

test.each([
  'the token count is 12, see https://example.com/a@b',
  'tg_refresh_ begins a refresh token, tg_reset_code and tg_refresh_tokens are names',
  'AIza begins a key of Gemini, AIza-short is none, nor is an xAIzaSyABCDEFGHIJKLMNOPQRSTUVWXYZ012345',
])('a line without a secret is left as it is: %s', (note) => {
  const { logger, last } = capture();
  logger.info({ note }, 'fine');
  expect(last().note).toBe(note);
});

test('a person reads time, level, service and sentence, and no secret', () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => lines.push(line) };
  const logger = createLogger({ level: 'info', name: 'tollgate', format: 'pretty', destination });
  logger.child({ service: 'billing' }).warn({ seq: 2, password: 'hush' }, 'settled');
  expect(lines.join('')).toMatch(/^\[\d\d:\d\d:\d\d\] WARN: billing: settled \{"seq":2,/);
  expect(lines.join('')).toContain('[redacted]');
  expect(lines.join('')).not.toContain('hush');
});
