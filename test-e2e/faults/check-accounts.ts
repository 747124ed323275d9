import type { AccountBalance, AccountBooks } from './books';
import { chargesOf, totalsOf, type Violation } from './evidence';

/** What must hold of one account when all is settled. */
export function checkAccount(account: AccountBooks): readonly Violation[] {
  return [
    ...checkBalance(account),
    ...checkLedger(account),
    ...checkStats(account),
    ...checkBudgets(account),
  ];
}

/** What must hold at any time, in the middle of a fault too. */
export function checkBalance(account: AccountBalance): readonly Violation[] {
  const { id: accountId, balanceNano, reservedNano, availableNano, creditsNano } = account;
  const violations: Violation[] = [];
  const amounts = { balanceNano, reservedNano, availableNano };
  for (const [name, amount] of Object.entries(amounts)) {
    if (amount < 0n) violations.push({ kind: 'negative', accountId, text: `${name} ${amount}` });
  }
  if (balanceNano !== creditsNano - account.usageNano) {
    violations.push({ kind: 'drift', accountId, text: 'balance is not credits less usage' });
  }
  if (creditsNano !== account.grantedNano) {
    const text = `granted ${account.grantedNano}, the books say ${creditsNano}`;
    violations.push({ kind: 'credit', accountId, text });
  }
  return violations;
}

/** The ledger alone tells the whole story: gapless, never below zero, its sums are the balance. */
function checkLedger({ id: accountId, ledger, usageNano }: AccountBooks): readonly Violation[] {
  const violations: Violation[] = [];
  let left = 0n;
  let charged = 0n;
  ledger.forEach((line, index) => {
    if (line.seq !== index + 1) {
      violations.push({ kind: 'drift', accountId, text: `entry ${line.seq} at ${index + 1}` });
    }
    left += line.kind === 'credit' ? line.amountNano : -line.amountNano;
    if (line.kind === 'charge') charged += line.amountNano;
    if (left < 0n) {
      const text = `${left} after entry ${line.seq}`;
      violations.push({ kind: 'negative', accountId, requestId: line.requestId, text });
    }
  });
  if (charged !== usageNano) {
    const text = `charges of ${charged}, usage of ${usageNano}`;
    violations.push({ kind: 'drift', accountId, text });
  }
  return violations;
}

/** Statistics have counted what the ledger charged, neither less nor more. */
export function checkStats(account: AccountBooks): readonly Violation[] {
  const { requests, promptTokens, completionTokens, spendNano } = totalsOf(account);
  const { stats } = account;
  const isSame =
    stats.requests === requests &&
    stats.promptTokens === promptTokens &&
    stats.completionTokens === completionTokens &&
    stats.spendNano === spendNano;
  if (isSame) return [];
  const ledger = `${requests} requests, ${promptTokens}+${completionTokens} tokens, ${spendNano}`;
  const shown =
    `${stats.requests} requests, ${stats.promptTokens}+${stats.completionTokens} tokens, ` +
    `${stats.spendNano}`;
  const text = `the ledger has ${ledger}; statistics ${shown}`;
  return [{ kind: 'stats', accountId: account.id, text }];
}

function checkBudgets(account: AccountBooks): readonly Violation[] {
  const violations: Violation[] = [];
  for (const { id, budgetNano, spentNano } of account.keys) {
    if (budgetNano === undefined) continue;
    const charged = chargesOf(account)
      .filter(({ keyId }) => keyId === id)
      .reduce((sum, { amountNano }) => sum + amountNano, 0n);
    // A key that was never used has spent nothing that the books would know of.
    if (charged > budgetNano || charged !== (spentNano ?? 0n)) {
      const text = `key ${id}: charged ${charged}, spent ${spentNano}, budget ${budgetNano}`;
      violations.push({ kind: 'budget', accountId: account.id, text });
    }
  }
  return violations;
}
