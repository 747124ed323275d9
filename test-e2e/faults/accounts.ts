import { createKey, grantCredit, openAccount } from '../support/accounts';
import { untilAnswered } from '../support/eventually';
import type { FaultSystem } from './fault-system';

/** An account under load: its owner's session opens keys, its keys make requests. */
export interface LoadedAccount {
  readonly id: string;
  readonly name: string;
  readonly keys: readonly LoadedKey[];
  /** Credits that were granted, in nano-units; what the books must say. */
  granted: bigint;
}

export interface LoadedKey {
  readonly id: string;
  readonly secret: string;
  /** As the API was told; undefined without a budget. */
  readonly budget: string | undefined;
}

interface WantedAccount {
  readonly name: string;
  readonly credit: string;
  /** One per key; undefined is a key without a budget. */
  readonly budgets: readonly (string | undefined)[];
}

/** Rich ones work in steady state, the poor one meets its end again and again, one has budgets. */
const WANTED_ACCOUNTS: readonly WantedAccount[] = [
  { name: 'steady', credit: '100.00', budgets: [undefined, undefined] },
  { name: 'busy', credit: '100.00', budgets: [undefined] },
  { name: 'poor', credit: '0.002', budgets: [undefined, undefined] },
  { name: 'budgeted', credit: '100.00', budgets: ['0.01', '0.1', undefined] },
];

/** What the poor account is given again in each cycle. */
const TOP_UP = { text: '0.001', nano: 1_000_000n };
export const POOR = 'poor';

/** Opens the accounts with their credit and keys, while everything is well. */
export async function openAccounts(
  system: FaultSystem,
  wanted: readonly WantedAccount[] = WANTED_ACCOUNTS,
): Promise<readonly LoadedAccount[]> {
  const accounts: LoadedAccount[] = [];
  for (const one of wanted) accounts.push(await openLoadedAccount(system, one));
  return accounts;
}

/** As many accounts with more credit than any run spends, one key each. */
export function richAccounts(count: number): readonly WantedAccount[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `rich-${index + 1}`,
    credit: '100.00',
    budgets: [undefined],
  }));
}

async function openLoadedAccount(
  system: FaultSystem,
  { name, credit: amount, budgets }: WantedAccount,
): Promise<LoadedAccount> {
  const operator = await system.operator();
  // Billing may have come back a moment ago; the keys make a repetition harmless.
  const opening = { name, idempotencyKey: `open-${name}` };
  const { id, owner } = await untilAnswered('an account', () => openAccount(operator, opening));
  const first = { id, amount, idempotencyKey: `first-${name}` };
  const granted = await untilAnswered('a first credit', () => grantCredit(operator, first));
  const keys: LoadedKey[] = [];
  for (const budget of budgets) {
    const settings = budget === undefined ? {} : { max_budget: budget };
    const key = await createKey(owner.api, { name: `key ${keys.length + 1}`, ...settings });
    keys.push({ id: key.id, secret: key.secret, budget });
  }
  return { id, name, keys, granted };
}

/** Grants the poor account its credit of the cycle: asked until answered, and counted once. */
export async function topUp(
  system: FaultSystem,
  account: LoadedAccount,
  cycle: number,
): Promise<void> {
  const credit = { id: account.id, amount: TOP_UP.text, idempotencyKey: `top-up-${cycle}` };
  await untilAnswered('a top-up', async () => grantCredit(await system.operator(), credit));
  account.granted += TOP_UP.nano;
}
