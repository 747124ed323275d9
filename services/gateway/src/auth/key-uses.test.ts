import { toIsoTime } from '@tollgate/core';
import { createFakeClock, createRecordingLogger, type FakeClock } from '@tollgate/testkit';
import { createKeyUses, type KeyUse, type KeyUses } from './key-uses';

const INTERVAL_MS = 30_000;

let clock: FakeClock;
let reports: (readonly KeyUse[])[];
let report: (uses: readonly KeyUse[]) => Promise<void>;
let uses: KeyUses;

beforeEach(() => {
  clock = createFakeClock();
  reports = [];
  report = async () => {};
  uses = createKeyUses({
    async report(batch) {
      reports.push(batch);
      await report(batch);
    },
    intervalMs: INTERVAL_MS,
    keysMax: 1500,
    clock,
    logger: createRecordingLogger(),
  });
  uses.start();
});

afterEach(() => uses.stop());

test('many requests of a key are one line of one report, with the last of their times', async () => {
  for (let count = 0; count < 1000; count += 1) uses.note('key_1', 1000 + count);
  uses.note('key_2', 7000);
  expect(reports).toEqual([]);
  await clock.advance(INTERVAL_MS);
  expect(reports).toEqual([
    [
      { keyId: 'key_1', lastUsedAt: toIsoTime(1999) },
      { keyId: 'key_2', lastUsedAt: toIsoTime(7000) },
    ],
  ]);
  await clock.advance(INTERVAL_MS);
  expect(reports).toHaveLength(1);
});

test('what is held is bounded, and so is each report', async () => {
  for (let count = 0; count < 5000; count += 1) uses.note(`key_${count}`, 1000);
  await clock.advance(INTERVAL_MS);
  expect(reports.map((batch) => batch.length)).toEqual([1000, 500]);
});

test('a report that fails costs nothing but its times, and later ones go on', async () => {
  report = () => Promise.reject(new Error('away'));
  uses.note('key_1', 1000);
  await clock.advance(INTERVAL_MS);
  report = async () => {};
  uses.note('key_1', 2000);
  await clock.advance(INTERVAL_MS);
  expect(reports.at(-1)).toEqual([{ keyId: 'key_1', lastUsedAt: toIsoTime(2000) }]);
});

test('while identity is slow no second report begins', async () => {
  let answer = () => {};
  report = () =>
    new Promise((resolve) => {
      answer = resolve;
    });
  uses.note('key_1', 1000);
  await clock.advance(INTERVAL_MS);
  uses.note('key_1', 2000);
  await clock.advance(3 * INTERVAL_MS);
  expect(reports).toHaveLength(1);
  report = async () => {};
  answer();
  await clock.advance(INTERVAL_MS);
  await clock.advance(INTERVAL_MS);
  expect(reports).toHaveLength(2);
});

test('at the end what is noted is reported', async () => {
  uses.note('key_1', 1000);
  await uses.stop();
  expect(reports).toHaveLength(1);
});

test('what identity does not take is a warning while we run, and none while we stop', async () => {
  const logger = createRecordingLogger();
  const away = () => Promise.reject(new Error('away'));
  const own = createKeyUses({ clock, logger, intervalMs: 1000, keysMax: 10, report: away });
  own.start();
  own.note('key_1', 1000);
  await clock.advance(1000);
  own.note('key_1', 2000);
  await own.stop();
  const told = 'last uses of keys could not be reported';
  const levels = logger.lines.filter(({ message }) => message === told).map(({ level }) => level);
  expect(levels).toEqual(['warn', 'debug']);
});
