import { createPasswordHasher } from './password-hasher';

const CHEAP = { memoryKib: 64, passes: 1 } as const;

test('a password matches its hash and nothing else', async () => {
  const hasher = createPasswordHasher({ ...CHEAP, concurrency: 2, queuedMax: 10 });
  const hash = await hasher.hash('the password');
  expect(hash).toMatch(/^\$argon2id\$/);
  expect(await hasher.hash('the password')).not.toBe(hash);
  expect(await hasher.verify(hash, 'the password')).toBe(true);
  expect(await hasher.verify(hash, 'another password')).toBe(false);
  expect(await hasher.verify(undefined, 'nobody has this password')).toBe(false);
});

test('more hashes than may wait are refused with a time to come back', async () => {
  const hasher = createPasswordHasher({ ...CHEAP, concurrency: 1, queuedMax: 2 });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 5 }, (_, index) => hasher.hash(`password ${index}`)),
  );
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  expect(refused).toHaveLength(2);
  for (const outcome of refused) {
    expect(outcome.reason).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterMs: 1000 });
  }
  await expect(hasher.hash('afterwards')).resolves.toMatch(/^\$argon2id\$/);
});
