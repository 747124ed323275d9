import {
  ACCOUNT_STORE_CONTRACT,
  CLAIM_STORE_CONTRACT,
  LEDGER_STORE_CONTRACT,
  OUTBOX_STORE_CONTRACT,
} from '@tollgate/billing/model-api';
import { createRandom } from '../random';
import { createProcess, NO_CALL_FAULTS } from './process';
import { createReplicaSet, type StorePorts } from './replica-set';
import { createScheduler } from './scheduler';

/** Runs the case against the simulated store while a scheduler delays every command. */
async function keepsContract(run: (ports: StorePorts) => Promise<void>): Promise<void> {
  const scheduler = createScheduler(createRandom(1), 0);
  const replicas = createReplicaSet(scheduler, { account() {} });
  const process = createProcess(scheduler, 'contract', { epochMs: 0, skewMs: 0 }, 0);
  const done = run(replicas.portsFor(process, NO_CALL_FAULTS));
  while (await scheduler.step());
  await done;
}

describe('the store of the money model', () => {
  it.each(ACCOUNT_STORE_CONTRACT)('$title', ({ run }) => keepsContract(({ store }) => run(store)));
  it.each(LEDGER_STORE_CONTRACT)('$title', ({ run }) => keepsContract(({ ledger }) => run(ledger)));
  it.each(OUTBOX_STORE_CONTRACT)('$title', ({ run }) => keepsContract(({ outbox }) => run(outbox)));
  it.each(CLAIM_STORE_CONTRACT)('$title', ({ run }) => keepsContract(({ claims }) => run(claims)));
});
