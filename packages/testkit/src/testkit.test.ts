import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestMongo } from './create-test-mongo';
import { createRecordingLogger } from './recording-logger';
import { makeSocketPath, makeTemporaryDirectory } from './temporary-directory';
import { waitFor } from './wait-for';

it('gives each test a directory of its own and removes it with everything inside', async () => {
  const [one, other] = await Promise.all([makeTemporaryDirectory(), makeTemporaryDirectory()]);
  expect(one.path).not.toBe(other.path);
  await writeFile(join(one.path, 'file'), 'text');
  await one.remove();
  await one.remove();
  await other.remove();
  expect(existsSync(one.path)).toBe(false);
});

it('gives socket paths that fit into the address of a unix socket', async () => {
  const socket = await makeSocketPath('identity');
  expect(socket.path.length).toBeLessThan(100);
  await socket.remove();
});

it('waits for a condition, also for one that throws until it is true', async () => {
  let asked = 0;
  const answer = await waitFor(() => {
    asked += 1;
    if (asked < 3) throw new Error('not yet');
    return asked;
  });
  expect(answer).toBe(3);
});

it('gives up with the last failure as the cause', async () => {
  const waiting = waitFor(() => Promise.reject(new Error('still broken')), {
    timeoutMs: 1,
    description: 'the repair',
  });
  await expect(waiting).rejects.toMatchObject({
    message: 'the repair did not come true within 1 ms',
    cause: { message: 'still broken' },
  });
});

it('records what is logged, with the fields of every parent and the causes of errors', () => {
  const logger = createRecordingLogger();
  const child = logger.child({ service: 'billing' }).child({ account: 'acc_1' });
  child.warn({ amount: 5n, err: new Error('outer', { cause: new Error('inner') }) }, 'odd');
  expect(logger.lines).toHaveLength(1);
  expect(logger.lines[0]).toMatchObject({
    level: 'warn',
    message: 'odd',
    fields: { service: 'billing', account: 'acc_1' },
  });
  expect(logger.text()).toContain('inner');
});

it('starts a document store on a socket and leaves nothing behind', async () => {
  const mongo = await createTestMongo();
  const path = decodeURIComponent(new URL(mongo.uri).host);
  expect(existsSync(path)).toBe(true);
  await mongo.close();
  expect(existsSync(path)).toBe(false);
});
