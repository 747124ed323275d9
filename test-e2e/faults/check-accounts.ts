import type { AccountBalance, AccountBooks } from './books';
import { checkRequests, type RequestSums } from './check-requests';
import { chargesOf, type Evidence, totalsOf, type Violation } from './evidence';

/** Everything that must hold when all is settled; an empty list when it does. */
export function checkEvidence(evidence: Evidence): {
  readonly violations: readonly Violation[];
  readonly sums: RequestSums;
} {
  const { violations, sums } = checkRequests(evidence);
  return {
    sums,
    violations: [
      ...violations,
      ...evidence.accounts.flatMap(checkAccount),
      ...checkAudit(evidence, sums),
      ...checkClients(evidence),
      ...evidence.crashes.map(
        ({ name, code, log }): Violation => ({
          kind: 'crash',
          text: `${name} ended by itself with ${code}:\n${log}`,
        }),
      ),
    ],
  };
}

/** True when nothing is held back any more and statistics have caught up. */
export function isSettled({ accounts, audit, ...rest }: Evidence): boolean {
  const caughtUp = accounts.every(
    (account) => account.reservedNano === 0n && checkStats(account).length === 0,
  );
  const { violations } = checkRequests({ accounts, audit, ...rest });
  const complete = violations.every(({ kind }) => kind !== 'lost');
  return caughtUp && complete && audit.ok && audit.reservedNano === 0n;
}

function checkAccount(account: AccountBooks): readonly Violation[] {
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

function checkStats(account: AccountBooks): readonly Violation[] {
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

function checkAudit({ audit }: Evidence, sums: RequestSums): readonly Violation[] {
  const violations: Violation[] = [];
  if (!audit.ok || audit.driftNano !== 0n) {
    const text = `drift ${audit.driftNano}: ${JSON.stringify(audit.findings)}`;
    violations.push({ kind: 'drift', text });
  }
  const explained = audit.absorbedNano + audit.overrunNano;
  if (sums.shortfallNano !== explained) {
    const text = `charges miss ${sums.shortfallNano} of their price, the audit explains ${explained}`;
    violations.push({ kind: 'lost', text });
  }
  return violations;
}

/** Every client is answered, and told when to come back where coming back makes sense. */
function checkClients({ attempts }: Evidence): readonly Violation[] {
  const violations: Violation[] = [];
  for (const { tag, accountId, fromMs, hung, status, retryAfter } of attempts) {
    const who = `${tag}, sent at ${Math.round(fromMs)} ms,`;
    if (hung) violations.push({ kind: 'hang', accountId, text: `${who} was not answered` });
    if (status === 503 && retryAfter === undefined) {
      violations.push({ kind: 'bare refusal', accountId, text: `${who} got 503, no Retry-After` });
    }
  }
  return violations;
}
