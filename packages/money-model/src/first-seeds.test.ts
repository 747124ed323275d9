import {
  ACCOUNT_STORE_CONTRACT,
  CLAIM_STORE_CONTRACT,
  LEDGER_STORE_CONTRACT,
  OUTBOX_STORE_CONTRACT,
} from '@tollgate/billing/testing';
import { BILLING_BUGS } from './bugs-in-billing';
import { COVERAGE_WANTED, checkSeeds, findPlantedBug } from './check-seeds';
import { createProcess, NO_CALL_FAULTS } from './process';
import { createRandom } from './random';
import { createReplicaSet, type StorePorts } from './replica-set';
import { runSchedule } from './run-schedule';
import { createScheduler } from './scheduler';

jest.setTimeout(300_000);

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

describe('money', () => {
  it('is right to the nano-unit after each of the schedules 1 to 500', async () => {
    const { failures, coverage } = await checkSeeds(1, 500);
    expect(failures).toEqual([]);
    expect(COVERAGE_WANTED.filter((name) => !coverage.has(name))).toEqual([]);
  });
});

describe('the money model', () => {
  it('does the same thing again for the same seed', async () => {
    const traceOf = async (seed: number) => {
      const lines: string[] = [];
      await runSchedule(seed, { trace: (line) => lines.push(line) });
      return lines;
    };
    for (const seed of [3, 17, 424_242]) expect(await traceOf(seed)).toEqual(await traceOf(seed));
  });

  it.each(Object.entries(BILLING_BUGS))('finds %s', async (_name, createBug) => {
    expect(await findPlantedBug(createBug)).toBeDefined();
  });
});
