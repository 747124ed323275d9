import { checkAccount, checkStats } from './check-accounts';
import { checkRequests, type RequestSums } from './check-requests';
import type { Evidence, Violation } from './evidence';

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
