import { codeClaimId, isCode, nano, topUpClaimId } from '@tollgate/core';
import type { Simulation } from '../world/simulation';

/** Credit that an operator gives, or a correction of it, named so that it counts once. */
export interface Credit {
  readonly kind: 'credit' | 'adjustment';
  readonly accountId: string;
  readonly name: string;
  /** Below 0 an adjustment takes back. */
  readonly amount: number;
  /** Time of the schedule at which the last of its planned calls begins. */
  readonly calledUntilMs: number;
}

/** The credit that every account begins with. */
export function firstCredit({ profile }: Simulation, accountId: string): Credit {
  return { kind: 'credit', accountId, name: 'first', amount: profile.credit, calledUntilMs: 0 };
}

/**
 * Gives the credit; rejects when that is not certain, and may then be done again. Answers what was
 * given: nothing where an adjustment would take what is reserved or spent.
 */
export async function addCredit(simulation: Simulation, credit: Credit): Promise<number> {
  const { accountId, name: idempotencyKey } = credit;
  const amount = nano(BigInt(credit.amount));
  const billing = simulation.anyBilling();
  if (billing === undefined) throw new Error('nobody answers');
  const { operations } = billing;
  if (credit.kind === 'credit') {
    await operations.addCredits({ accountId, amount, note: '', idempotencyKey });
    return credit.amount;
  }
  try {
    await operations.adjustBalance({ accountId, amount, note: 'a mistake', idempotencyKey });
    return credit.amount;
  } catch (error) {
    if (isCode(error, 'CONFLICT')) return 0;
    throw error;
  }
}

/**
 * Every account asks for every code and for every payment, once or twice: whoever is kept first has
 * it, and nobody asks again at rest. What died on its way is finished by billing alone.
 */
export function planClaims(simulation: Simulation): void {
  const { random, profile, scheduler } = simulation;
  const { accounts, overMs } = profile.workload;
  for (let index = 0; index < profile.claims; index += 1) {
    const amount = nano(BigInt(random.int(50, 400)));
    for (const accountId of accounts) {
      const claim = async (): Promise<void> => {
        const billing = simulation.anyBilling();
        const claimedAtMs = billing?.process.clock.now() ?? 0;
        const id = index % 2 === 0 ? codeClaimId(`${index}`) : topUpClaimId('shop', `${index}`);
        await billing?.operations.creditClaim({ id, accountId, amount, note: '', claimedAtMs });
      };
      for (let copy = random.int(1, 2); copy > 0; copy -= 1) {
        scheduler.after(undefined, random.int(0, overMs), () => void claim().catch(() => {}));
      }
    }
  }
}

/** Credits are still given for so long after the last request. */
const CREDITS_AFTER_MS = 1_000;

/** Gives credits at any time, once or twice; what did not work is done again in the end. */
export function planCredits(simulation: Simulation): readonly Credit[] {
  const { random, profile, scheduler } = simulation;
  const credits: Credit[] = [];
  const plan = (planned: Omit<Credit, 'calledUntilMs'>): void => {
    const copies = Array.from({ length: random.int(1, 2) }, () =>
      random.int(0, profile.workload.overMs + CREDITS_AFTER_MS),
    );
    const credit = { ...planned, calledUntilMs: scheduler.elapsedMs + Math.max(...copies) };
    credits.push(credit);
    const give = () => void addCredit(simulation, credit).catch(() => {});
    for (const delayMs of copies) scheduler.after(undefined, delayMs, give);
  };
  for (const accountId of profile.workload.accounts) {
    for (let index = 0; index < profile.laterCredits; index += 1) {
      const amount = random.int(50, 400);
      plan({ kind: 'credit', accountId, name: `later-${index}`, amount });
    }
    for (let index = 0; index < profile.adjustments; index += 1) {
      const amount = random.pick([-1, 1]) * random.int(1, 200);
      // The names of credits and of adjustments are apart, whatever they are.
      plan({ kind: 'adjustment', accountId, name: `later-${index}`, amount });
    }
  }
  return credits;
}
