import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError, createSystemClock, nano, silentLogger } from '@tollgate/core';
import { createMetrics } from '@tollgate/observability';
import { createCompletionMetrics } from '../metrics';
import { FakeBilling } from '../testing/fake-billing';
import { createBillingPeer } from '../testing/fake-peers';
import { createBillingClient } from './billing-client';

const security = { serviceSecret: 'a secret of a test, long enough to be one', plaintext: false };
const ASKED = {
  accountId: 'acc_1',
  nonce: 'n1',
  amount: nano(10n),
  minimum: nano(1n),
  budget: undefined,
};

test('a lease that billing refuses is counted apart from one that it could not answer', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tg-'));
  const metrics = createMetrics();
  const host = { clock: createSystemClock(), logger: silentLogger, metrics };
  const address = `unix:${join(directory, 'billing')}`;
  const billing = new FakeBilling();
  billing.setAvailable('acc_1', 100n);
  const peer = createBillingPeer(billing, address, security, host);
  await peer.listen();
  const client = createBillingClient({
    address,
    security,
    host,
    deadlineMs: 20_000,
    holder: () => 'spool_1',
    holderAddress: () => 'completion:1',
    metrics: createCompletionMetrics(metrics),
  });
  try {
    await client.acquireLease(ASKED);
    for (const code of ['INSUFFICIENT_BALANCE', 'SERVICE_UNAVAILABLE'] as const) {
      billing.failNextAcquire(new AppError(code));
      await expect(client.acquireLease(ASKED)).rejects.toMatchObject({ code });
    }
    const told = await metrics.expose();
    const counts = [...told.matchAll(/lease_acquires_total\{result="(\w+)"\} (\d+)/g)];
    expect(counts.map(([, result, count]) => [result, count])).toEqual([
      ['granted', '1'],
      ['refused', '1'],
      ['failed', '1'],
    ]);
  } finally {
    client.close();
    await peer.close();
    rmSync(directory, { recursive: true });
  }
});
