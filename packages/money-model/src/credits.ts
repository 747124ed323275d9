import { nano } from '@tollgate/core';
import type { World } from './world';

/** Credit that an operator gives, named so that it counts once. */
export interface Credit {
  readonly accountId: string;
  readonly name: string;
  readonly amount: number;
}

/** Gives the credit; rejects when that is not certain, and may then be done again. */
export async function addCredit(world: World, credit: Credit): Promise<void> {
  const { accountId, name: idempotencyKey } = credit;
  const amount = nano(BigInt(credit.amount));
  const billing = world.anyBilling();
  if (billing === undefined) throw new Error('nobody answers');
  await billing.operations.addCredits({ accountId, amount, note: '', idempotencyKey });
}

/** Gives credits at any time, once or twice; what did not work is done again in the end. */
export function planCredits(world: World): readonly Credit[] {
  const { random, profile, scheduler } = world;
  const credits: Credit[] = [];
  for (const accountId of profile.workload.accounts) {
    for (let index = 0; index < profile.laterCredits; index += 1) {
      const credit = { accountId, name: `later-${index}`, amount: random.int(50, 400) };
      credits.push(credit);
      const give = () => void addCredit(world, credit).catch(() => {});
      for (let copy = random.int(1, 2); copy > 0; copy -= 1) {
        scheduler.at(undefined, random.int(0, profile.workload.overMs + 1_000), give);
      }
    }
  }
  return credits;
}
