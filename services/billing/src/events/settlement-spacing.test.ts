import { createFakeClock, settlePromises } from '@tollgate/testkit';
import type { ReceivedRecord } from '../domain/usage-record';
import { createSettlementSpacing } from './settlement-spacing';

const INTERVAL_MS = 500;
const BATCH_MAX = 10;

function createScene() {
  const clock = createFakeClock();
  const spacing = createSettlementSpacing({ clock, intervalMs: INTERVAL_MS, batchMax: BATCH_MAX });
  const { signal } = new AbortController();
  const isDue = async (records: readonly ReceivedRecord[]) => {
    let due = false;
    void spacing.wait(records, signal).then(() => {
      due = true;
    });
    await settlePromises();
    return due;
  };
  return { clock, spacing, isDue };
}

/** Only who and what a record is matters here. */
const usage = (accountId: string, count = 1): readonly ReceivedRecord[] =>
  Array.from({ length: count }, () => ({ kind: 'usage', accountId }) as ReceivedRecord);
const close = (accountId: string) => [{ kind: 'close', accountId } as ReceivedRecord];

test('the first record of an account settles at once, and the next ones share a write', async () => {
  const { clock, spacing, isDue } = createScene();
  expect(await isDue(usage('acc_1'))).toBe(true);
  spacing.settled(usage('acc_1'));
  const later = spacing.wait(usage('acc_1', 3), new AbortController().signal);
  let due = false;
  void later.then(() => {
    due = true;
  });
  await clock.advance(INTERVAL_MS - 1);
  expect(due).toBe(false);
  await clock.advance(1);
  expect(due).toBe(true);
});

test('an account that was quiet does not wait for a busy one that is not in its batch', async () => {
  const { spacing, isDue } = createScene();
  spacing.settled(usage('acc_busy'));
  expect(await isDue(usage('acc_quiet'))).toBe(true);
  expect(await isDue([...usage('acc_quiet'), ...usage('acc_busy')])).toBe(false);
});

test('credit that comes back and a full batch never wait', async () => {
  const { spacing, isDue } = createScene();
  spacing.settled(usage('acc_1'));
  expect(await isDue([...usage('acc_1'), ...close('acc_1')])).toBe(true);
  expect(await isDue(usage('acc_1', BATCH_MAX - 1))).toBe(false);
  expect(await isDue(usage('acc_1', BATCH_MAX))).toBe(true);
});

test('a stop ends the wait, and the batch comes again', async () => {
  const { spacing } = createScene();
  spacing.settled(usage('acc_1'));
  const controller = new AbortController();
  const waiting = spacing.wait(usage('acc_1'), controller.signal);
  controller.abort();
  await expect(waiting).rejects.toBeDefined();
});
