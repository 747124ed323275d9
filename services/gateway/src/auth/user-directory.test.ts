import { AppError } from '@tollgate/core';
import { createFakeClock, type FakeClock } from '@tollgate/testkit';
import { rememberedPrincipal } from '../testing/fixtures';
import { createUserDirectory, type UserDirectory } from './user-directory';

const TTL_MS = 30_000;

let clock: FakeClock;
let asked: string[];
let over: Set<string>;
let away: boolean;
let users: UserDirectory;

beforeEach(() => {
  clock = createFakeClock();
  asked = [];
  over = new Set();
  away = false;
  users = createUserDirectory({
    entriesMax: 3,
    ttlMs: TTL_MS,
    clock,
    async load(userId, sessionId) {
      asked.push(sessionId);
      if (away) throw new AppError('SERVICE_UNAVAILABLE');
      if (over.has(sessionId)) throw new AppError('UNAUTHORIZED');
      return rememberedPrincipal({ kind: 'user', userId });
    },
  });
});

const outcome = async (sessionId: string, userId = 'usr_1') => {
  try {
    return (await users.principalOf(userId, sessionId)).userId;
  } catch (error) {
    return error instanceof AppError ? error.code : 'broken';
  }
};
const told = { keyId: '', accountId: '', userId: '' };

test('a session is asked about once, each one for itself, and again after a while', async () => {
  expect(await outcome('ses_1')).toBe('usr_1');
  expect(await outcome('ses_1')).toBe('usr_1');
  expect(await outcome('ses_2')).toBe('usr_1');
  expect(asked).toEqual(['ses_1', 'ses_2']);
  await clock.advance(TTL_MS);
  await outcome('ses_1');
  expect(asked).toEqual(['ses_1', 'ses_2', 'ses_1']);
});

test('a session that ended is refused as soon as identity tells of its user', async () => {
  await outcome('ses_1');
  await outcome('ses_2');
  await outcome('ses_3', 'usr_2');
  over.add('ses_1');
  users.applyRevocations([{ ...told, userId: 'usr_1' }], false);
  expect(await outcome('ses_1')).toBe('UNAUTHORIZED');
  expect(await outcome('ses_2')).toBe('usr_1');
  asked = [];
  expect(await outcome('ses_3', 'usr_2')).toBe('usr_2');
  expect(asked).toEqual([]);
});

test('a flood with the token of a session that is over asks identity once', async () => {
  over.add('ses_1');
  for (let count = 0; count < 10; count += 1) expect(await outcome('ses_1')).toBe('UNAUTHORIZED');
  expect(asked).toEqual(['ses_1']);
});

test('a refused session names its person, also when it is refused again', async () => {
  over.add('ses_1');
  const details = { fault: 'session', presented: 'usr_1', accountId: '', keyId: '' };
  for (let count = 0; count < 2; count += 1) {
    await expect(async () => users.principalOf('usr_1', 'ses_1')).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
      details,
    });
  }
});

test('an answer that was under way when the session ended is not remembered', async () => {
  const first = outcome('ses_1');
  users.applyRevocations([{ ...told, userId: 'usr_1' }], false);
  over.add('ses_1');
  await first;
  expect(await outcome('ses_1')).toBe('UNAUTHORIZED');
});

test('who is forgotten for lack of room is asked about, not let in', async () => {
  over.add('ses_0');
  await outcome('ses_0');
  for (let count = 1; count < 9; count += 1) {
    over.add(`ses_${count}`);
    await outcome(`ses_${count}`);
  }
  expect(await outcome('ses_0')).toBe('UNAUTHORIZED');
});

test('what cannot be asked is 503, and is asked again', async () => {
  away = true;
  expect(await outcome('ses_1')).toBe('SERVICE_UNAVAILABLE');
  away = false;
  expect(await outcome('ses_1')).toBe('usr_1');
});

test('after a reset everybody is asked about again', async () => {
  await outcome('ses_1');
  over.add('ses_1');
  users.applyRevocations([], true);
  expect(await outcome('ses_1')).toBe('UNAUTHORIZED');
});
