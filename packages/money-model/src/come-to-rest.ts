import { addCredit, type Credit, firstCredit } from './workload/credits';
import { endSuspension } from './workload/suspensions';
import type { Simulation } from './world/simulation';

/** Time of the schedule after which a simulation without disasters must have come to rest. */
const PEACE_MS_MAX = 90_000;
const CHECK_MS = 400;
const RETRY_MS = 500;
const TRIES_MAX = 5;

/** The credit that every account was given in all. */
export type GivenCredit = Map<string, bigint>;

/** An adjustment waits for a second at most before it is refused, a threshold for two. */
const ANSWER_MS = 3_000;

/** Does again whatever credit was not certain; answers how many are still under way. */
function settleCredits(
  simulation: Simulation,
  credits: readonly Credit[],
  given: GivenCredit,
): () => number {
  const { profile, scheduler, invariants } = simulation;
  const first = profile.workload.accounts.map((accountId) => firstCredit(simulation, accountId));
  let pending = first.length + credits.length;
  const give = (credit: Credit, triesLeft: number): void => {
    const { accountId } = credit;
    addCredit(simulation, credit).then(
      (amount) => {
        pending -= 1;
        given.set(accountId, (given.get(accountId) ?? 0n) + BigInt(amount));
      },
      () => {
        // The write may have been shared with one that was under way when the disasters ended.
        if (triesLeft > 0) scheduler.after(undefined, RETRY_MS, () => give(credit, triesLeft - 1));
        else invariants.report(`${credit.accountId} did not get its credit ${credit.name}`);
      },
    );
  };
  for (const credit of [...first, ...credits]) {
    // While an earlier call for it still waits for idle holders, a refusal says nothing certain.
    const leftMs = Math.max(0, credit.calledUntilMs - scheduler.elapsedMs);
    const waitMs = credit.kind === 'adjustment' ? leftMs + ANSWER_MS : 0;
    scheduler.after(undefined, waitMs, () => give(credit, TRIES_MAX));
  }
  return () => pending;
}

/** Everybody may spend the last credit again; answers how many accounts may not yet. */
function endSuspensions(simulation: Simulation, untilMs: number): () => number {
  const { profile, scheduler, invariants } = simulation;
  const { accounts } = profile.workload;
  let pending = accounts.length;
  const end = (accountId: string, triesLeft: number): void => {
    endSuspension(simulation, accountId).then(
      () => {
        pending -= 1;
      },
      () => {
        if (triesLeft > 0)
          scheduler.after(undefined, RETRY_MS, () => end(accountId, triesLeft - 1));
        else invariants.report(`${accountId} could not set its thresholds`);
      },
    );
  };
  // A call of before that still waits for the journal must not come after this one.
  const waitMs = Math.max(0, untilMs - scheduler.elapsedMs) + ANSWER_MS;
  for (const accountId of accounts)
    scheduler.after(undefined, waitMs, () => end(accountId, TRIES_MAX));
  return () => pending;
}

function restart({ completions, ...simulation }: Simulation): void {
  for (const machine of completions) {
    if (machine.broken) simulation.stopCompletion(machine, false);
    if (machine.instance === undefined && !machine.destroyed) simulation.startCompletion(machine);
  }
}

/** Retires its leases again: a message that was under way may have been granted one since. */
function declareDestroyed(simulation: Simulation): void {
  for (const { destroyed, spoolId } of simulation.completions) {
    if (destroyed) void simulation.anyBilling()?.operations.retireLeases(spoolId);
  }
}

/**
 * Ends every disaster: everybody is up, nothing is lost any more, and time goes on until all rests.
 * Answers what every account was given in all.
 */
export async function comeToRest(
  simulation: Simulation,
  credits: readonly Credit[],
  suspendedUntilMs: number,
): Promise<GivenCredit> {
  const { scheduler, billings, invariants } = simulation;
  invariants.tell('no more disasters');
  scheduler.calm();
  for (const machine of billings)
    if (machine.instance === undefined) simulation.startBilling(machine);
  simulation.changeLeader();
  for (const { disk } of simulation.completions) disk.repair();
  const given: GivenCredit = new Map();
  const owing = settleCredits(simulation, credits, given);
  const suspended =
    simulation.profile.suspensions === 0 ? () => 0 : endSuspensions(simulation, suspendedUntilMs);
  const endMs = scheduler.elapsedMs + PEACE_MS_MAX;
  let nextCheckMs = scheduler.elapsedMs;
  while (scheduler.elapsedMs < endMs && invariants.violations.length === 0) {
    restart(simulation);
    await scheduler.step();
    if (scheduler.elapsedMs < nextCheckMs) continue;
    nextCheckMs = scheduler.elapsedMs + CHECK_MS;
    declareDestroyed(simulation);
    if (owing() + suspended() === 0 && whatIsLeft(simulation) === '') return given;
  }
  if (invariants.violations.length === 0) invariants.report(`no rest: ${whatIsLeft(simulation)}`);
  return given;
}

/** Requests that something may still happen to at their client's end. */
export function runningRequests({ requests }: Simulation): readonly string[] {
  const running: string[] = [];
  for (const { requestId, observed } of requests.values()) {
    const isPossible = observed.sentTo === undefined || observed.sentTo.process.alive;
    if (observed.outcome === undefined && isPossible) running.push(requestId);
  }
  return running;
}

/** Reasons why the simulation is not at rest; empty when it is. */
function whatIsLeft(simulation: Simulation): string {
  const { replicas, completions, published } = simulation;
  const left: string[] = [];
  const running = runningRequests(simulation);
  if (running.length > 0) left.push(`${running.join(', ')} have not ended`);
  for (const { name, instance, destroyed } of completions) {
    if (destroyed) continue;
    if (instance === undefined || !instance.isReady()) {
      left.push(`${name} is not ready`);
      continue;
    }
    const { unsettledCount, openRequestCount, openLeaseCount } = instance.spool;
    const counts = `${unsettledCount} records, ${openRequestCount} requests`;
    if (unsettledCount + openRequestCount + openLeaseCount > 0) {
      left.push(`${name} has ${counts}, ${openLeaseCount} leases`);
    }
  }
  for (const id of replicas.openClaims) left.push(`${id} was claimed and not credited`);
  for (const account of replicas.accounts.values()) {
    const { id, journalNo, ledgerSeq, leases } = account;
    const open = [...leases].map(([number, { nextNumber }]) => `${number} at ${nextNumber}`);
    if (open.length > 0) left.push(`${id} has leases ${open.join(', ')}`);
    const stored = replicas.ledger.get(id)?.size ?? 0;
    if (stored < ledgerSeq) left.push(`${id} has ${stored} of ${ledgerSeq} entries in its ledger`);
    const told = published.get(id)?.size ?? 0;
    if (told < journalNo) left.push(`${id} has told ${told} of ${journalNo} items`);
  }
  return left.join('; ');
}
