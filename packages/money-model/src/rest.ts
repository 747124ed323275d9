import { addCredit, CREDITS_AFTER_MS, type Credit, firstCredit } from './credits';
import type { World } from './world';

/** Time of the schedule after which a world in peace must have come to rest. */
const PEACE_MS_MAX = 90_000;
const CHECK_MS = 400;
const RETRY_MS = 500;
const TRIES_MAX = 5;

/** What every account was given in all. */
export type GivenCredit = Map<string, bigint>;

/** An adjustment waits for a second at most before it is refused. */
const ANSWER_MS = 3_000;

/** How long until the last call that the schedule planned for credits has begun. */
function lastCallMs({ profile, scheduler }: World): number {
  return Math.max(0, profile.workload.overMs + CREDITS_AFTER_MS - scheduler.nowMs);
}

/** Does again whatever credit was not certain; answers how many are still under way. */
function settleCredits(world: World, credits: readonly Credit[], given: GivenCredit): () => number {
  const { profile, scheduler, witness } = world;
  const first = profile.workload.accounts.map((accountId) => firstCredit(world, accountId));
  let owed = first.length + credits.length;
  const give = (credit: Credit, triesLeft: number): void => {
    const { accountId } = credit;
    addCredit(world, credit).then(
      (amount) => {
        owed -= 1;
        given.set(accountId, (given.get(accountId) ?? 0n) + BigInt(amount));
      },
      () => {
        // The write may have been shared with one that was under way when peace came.
        if (triesLeft > 0) scheduler.at(undefined, RETRY_MS, () => give(credit, triesLeft - 1));
        else witness.report(`${credit.accountId} did not get its credit ${credit.name}`);
      },
    );
  };
  for (const credit of [...first, ...credits]) {
    // While an earlier call for it still waits for idle holders, a refusal says nothing certain.
    const waitMs = credit.kind === 'adjustment' ? lastCallMs(world) + ANSWER_MS : 0;
    scheduler.at(undefined, waitMs, () => give(credit, TRIES_MAX));
  }
  return () => owed;
}

function restart({ completions, ...world }: World): void {
  for (const host of completions) {
    if (host.broken) world.stopCompletion(host, false);
    if (host.instance === undefined && !host.destroyed) world.startCompletion(host);
  }
}

/** A message of before may have been granted a lease after the operator's first word. */
function declareDestroyed(world: World): void {
  for (const { destroyed, spoolId } of world.completions) {
    if (destroyed) void world.anyBilling()?.operations.retireLeases(spoolId);
  }
}

/**
 * Ends all trouble: everybody is up, nothing is lost any more, and time goes on until all rests.
 * Answers what every account was given in all.
 */
export async function comeToRest(world: World, credits: readonly Credit[]): Promise<GivenCredit> {
  const { scheduler, billings, witness } = world;
  witness.note('peace');
  scheduler.calm();
  for (const host of billings) if (host.instance === undefined) world.startBilling(host);
  world.changeLeader();
  for (const { disk } of world.completions) disk.repair();
  const given: GivenCredit = new Map();
  const owed = settleCredits(world, credits, given);
  const endsAtMs = scheduler.nowMs + PEACE_MS_MAX;
  let nextCheckMs = scheduler.nowMs;
  while (scheduler.nowMs < endsAtMs && witness.violations.length === 0) {
    restart(world);
    await scheduler.step();
    if (scheduler.nowMs < nextCheckMs) continue;
    nextCheckMs = scheduler.nowMs + CHECK_MS;
    declareDestroyed(world);
    if (owed() === 0 && whatIsLeft(world) === '') return given;
  }
  if (witness.violations.length === 0) witness.report(`no rest: ${whatIsLeft(world)}`);
  return given;
}

/** Requests that something may still happen to at their client's end. */
export function runningRequests({ requests }: World): readonly string[] {
  const running: string[] = [];
  for (const { requestId, seen } of requests.values()) {
    const isPossible = seen.sentTo === undefined || seen.sentTo.process.alive;
    if (seen.outcome === undefined && isPossible) running.push(requestId);
  }
  return running;
}

/** What keeps the world from being at rest; empty when it is. */
function whatIsLeft(world: World): string {
  const { replicas, completions, published } = world;
  const left: string[] = [];
  const running = runningRequests(world);
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
  for (const account of replicas.accounts.values()) {
    const { id, journalNo, ledgerSeq, leases } = account;
    const open = [...leases].map(([number, { nextSeq }]) => `${number} at ${nextSeq}`);
    if (open.length > 0) left.push(`${id} has leases ${open.join(', ')}`);
    const stored = replicas.ledger.get(id)?.size ?? 0;
    if (stored < ledgerSeq) left.push(`${id} has ${stored} of ${ledgerSeq} entries in its ledger`);
    const told = published.get(id)?.size ?? 0;
    if (told < journalNo) left.push(`${id} has told ${told} of ${journalNo} items`);
  }
  return left.join('; ');
}
