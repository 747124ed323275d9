import type { AccountFact } from './facts';
import { invalid } from './invalid';

export type AccountStatus = 'active' | 'suspended';

/** A tenant: what keys, users and money belong to. */
export interface Account {
  readonly id: string;
  readonly name: string;
  /** Plan id; what the plan contains is billing's. */
  readonly plan: string;
  readonly status: AccountStatus;
  /** The name under which keys issued before v1 were imported; unique when present. */
  readonly importRef: string | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Counts changes; a write names the revision it read. */
  readonly rev: number;
  /** Facts that are durable here and not yet announced. */
  readonly outbox: readonly AccountFact[];
}

/** The plan of accounts that nobody chose one for. */
export const DEFAULT_PLAN = 'free';

const NAME_LENGTH_MAX = 100;
const PLAN = /^[a-z][a-z0-9_-]{0,31}$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses.
const CONTROL = /[\u0000-\u001f\u007f]/;

/** A display name: 1 to 100 characters after trimming, no control characters. */
export function parseName(param: string, text: string): string {
  const name = text.trim();
  if (name.length === 0 || name.length > NAME_LENGTH_MAX || CONTROL.test(name)) {
    throw invalid(param, `${param} must have 1 to ${NAME_LENGTH_MAX} printable characters.`);
  }
  return name;
}

/** A plan id by shape; whether it exists is decided where the plan table is. */
export function parsePlan(text: string): string {
  if (!PLAN.test(text)) throw invalid('plan', 'plan must be the id of a plan.');
  return text;
}

/** The account after a change; undefined when nothing would change. */
export function changeAccount(
  account: Account,
  change: Partial<Pick<Account, 'name' | 'plan' | 'status'>>,
  fact: Pick<AccountFact, 'id' | 'at' | 'actorUserId'>,
): Account | undefined {
  const next = { ...account, ...change };
  const planChanged = next.plan !== account.plan;
  if (!planChanged && next.name === account.name && next.status === account.status) {
    return undefined;
  }
  const entry: AccountFact = {
    ...fact,
    kind: planChanged ? 'plan.changed' : 'account.updated',
    plan: next.plan,
    previousPlan: account.plan,
  };
  return {
    ...next,
    updatedAt: fact.at,
    rev: account.rev + 1,
    outbox: [...account.outbox, entry],
  };
}
