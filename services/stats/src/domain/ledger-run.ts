import type { UsageFact } from './usage-figures';

/** The entries of each account in the order of its ledger. */
export function factsByAccount(
  facts: readonly UsageFact[],
): ReadonlyMap<string, readonly UsageFact[]> {
  const accounts = new Map<string, UsageFact[]>();
  for (const fact of facts) {
    const queue = accounts.get(fact.accountId);
    if (queue === undefined) accounts.set(fact.accountId, [fact]);
    else queue.push(fact);
  }
  for (const queue of accounts.values()) queue.sort(bySeq);
  return accounts;
}

function bySeq(a: UsageFact, b: UsageFact): number {
  if (a.seq === b.seq) return 0;
  return a.seq < b.seq ? -1 : 1;
}

/** The ordered entries that follow the cursor without a gap; those that came before are left out. */
export function runAfter(cursor: bigint, ordered: readonly UsageFact[]): readonly UsageFact[] {
  const run: UsageFact[] = [];
  let expected = cursor + 1n;
  for (const fact of ordered) {
    if (fact.seq > expected) break;
    if (fact.seq < expected) continue;
    run.push(fact);
    expected += 1n;
  }
  return run;
}
