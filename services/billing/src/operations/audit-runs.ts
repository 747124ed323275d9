import { AppError, type WaitingCall, waitAtMost } from '@tollgate/core';
import {
  type AuditReport,
  type AuditTally,
  createAuditTally,
  resumeAuditTally,
} from '../domain/audit-report';
import type { AuditMarkStore, AuditResultStore } from '../domain/ports';
import type { AuditOperation, AuditRequest } from './audit';
import type { BillingHost } from './dependencies';

/** One account, or all accounts after one. */
export type AuditedAccounts = Pick<AuditRequest, 'accountId' | 'after'>;

/** When audits are made, and what they left. */
export interface AuditRuns {
  /** The kept audit of all accounts; NOT_FOUND where there is none; it begins none. */
  kept(): Promise<AuditReport>;
  /** The kept audit of all accounts; without one it is made now, if there is time enough. */
  latest(call: WaitingCall): Promise<AuditReport>;
  /**
   * A new audit, as far as it came within the deadline. Who asks for the same while it is made gets
   * the same one.
   */
  fresh(accounts: AuditedAccounts, call: WaitingCall): Promise<AuditReport>;
  /**
   * Audits all accounts from their marks on when the kept audit is old. One that was cut short
   * goes on where it was, in whichever replica.
   */
  makeIfDue(signal: AbortSignal): Promise<void>;
  /**
   * Tells what the kept audit says, whichever replica made it. Its age is told in any case: without
   * an audit that can be read, that of the newest this process knows of, or its own.
   */
  observe(): Promise<void>;
}

interface Dependencies extends BillingHost {
  readonly audit: AuditOperation;
  readonly results: AuditResultStore;
  readonly marks: AuditMarkStore;
  /** From one audit of all accounts to the next, milliseconds. */
  readonly intervalMs: number;
}

/** An audit that is being made. */
interface Run {
  readonly tally: AuditTally;
  readonly done: Promise<AuditReport>;
  readonly controller: AbortController;
  clients: number;
}

/** So much of a deadline is for the way back. */
const ANSWER_PART = 0.1;
/** For who has no deadline. */
const DEADLINE_MS_MAX = 600_000;
/** Who asks again after so long finds an audit, or time for one. */
const RETRY_AFTER_MS_MAX = 60_000;
const LOGGED_FINDINGS_MAX = 10;

type Keep = (report: AuditReport) => Promise<void>;

/** What the gauges say of the newest audit. */
interface Gauges {
  tell(report: AuditReport): void;
  /** Its age grows whether or not it can be read. */
  tellAge(): void;
}

function createGauges({ clock, metrics }: Dependencies): Gauges {
  let newestAtMs = clock.now();
  const tellAge = () => metrics.auditAged(clock.now() - newestAtMs);
  return {
    tell(report) {
      newestAtMs = report.checkedAtMs;
      metrics.auditKept(report);
      tellAge();
    },
    tellAge,
  };
}

/** Keeps an audit, and tells people of what it found. */
function createKeeper({ results, logger }: Dependencies, gauges: Gauges): Keep {
  return async (report) => {
    const { ok, drift, accountsChecked, findings } = report;
    if (!ok) {
      const first = findings.slice(0, LOGGED_FINDINGS_MAX).map(({ accountId, rule, detail }) => {
        return { accountId, rule, detail };
      });
      const fields = { drift: drift.toString(), accountsChecked, findings: findings.length, first };
      logger.error(fields, 'the audit found what must not be');
    }
    gauges.tell(report);
    await results.write(report);
  };
}

/** Concurrent requests for the same audit share one run; an audit of every account is stored. */
function createShared({ audit, clock }: Dependencies, keep: Keep) {
  const runs = new Map<string, Run>();

  const begin = (name: string, { accountId, after }: AuditedAccounts): Run => {
    const tally = createAuditTally(clock.now(), after);
    const controller = new AbortController();
    const done = audit({ accountId, after, tally, signal: controller.signal }).then(
      async (report) => {
        if (accountId === undefined && after === undefined) await keep(report);
        return report;
      },
    );
    const run: Run = { tally, done, controller, clients: 0 };
    runs.set(name, run);
    const end = () => {
      if (runs.get(name) === run) runs.delete(name);
    };
    done.then(end, end);
    return run;
  };

  return async (
    accounts: AuditedAccounts,
    { deadlineMs, signal }: WaitingCall,
  ): Promise<AuditReport> => {
    const name = `${accounts.accountId ?? ''}|${accounts.after ?? ''}`;
    const run = runs.get(name) ?? begin(name, accounts);
    run.clients += 1;
    const timeMs = Math.min(deadlineMs, DEADLINE_MS_MAX) * (1 - ANSWER_PART);
    try {
      if (await waitAtMost(clock, timeMs, run.done, signal)) return await run.done;
      if (!signal.aborted) return run.tally.report(clock.now());
      throw new AppError('SERVICE_UNAVAILABLE', { internalMessage: 'nobody waits for the audit' });
    } finally {
      run.clients -= 1;
      if (run.clients === 0) {
        run.controller.abort();
        if (runs.get(name) === run) runs.delete(name);
      }
    }
  };
}

/** Everything about audits but the checks themselves. */
export function createAuditRuns(deps: Dependencies): AuditRuns {
  const { audit, results, marks, clock, intervalMs } = deps;
  const gauges = createGauges(deps);
  const keep = createKeeper(deps, gauges);
  const fresh = createShared(deps, keep);

  /** A clock that was set back must not end the audits. */
  const isRecent = ({ checkedAtMs }: AuditReport): boolean => {
    const ageMs = clock.now() - checkedAtMs;
    return ageMs >= 0 && ageMs < intervalMs;
  };

  /** The audit that was begun since and not ended; another replica may have begun it. */
  const readBegun = async (kept: AuditReport | undefined): Promise<AuditReport | undefined> => {
    const begun = await results.findBegun();
    if (begun === undefined || !isRecent(begun)) return undefined;
    return begun.startedAtMs > (kept?.startedAtMs ?? 0) ? begun : undefined;
  };

  return {
    fresh,
    async kept() {
      const kept = await results.find();
      if (kept === undefined) throw new AppError('NOT_FOUND');
      return kept;
    },
    async latest(call) {
      const kept = await results.find();
      if (kept !== undefined) return kept;
      const made = await fresh({}, call);
      if (made.complete) return made;
      throw new AppError('SERVICE_UNAVAILABLE', {
        publicMessage:
          'No audit is complete yet, and the time was too short for one. Try again later, or ask ' +
          'with fresh=true for a part of it.',
        retryAfterMs: Math.min(RETRY_AFTER_MS_MAX, intervalMs),
      });
    },
    async makeIfDue(signal) {
      const kept = await results.find();
      if (kept !== undefined && isRecent(kept)) return;
      const begun = await readBegun(kept);
      const tally =
        begun === undefined ? createAuditTally(clock.now(), undefined) : resumeAuditTally(begun);
      const after = begun?.checkedUpTo;
      const onPage = results.writeBegun;
      await keep(await audit({ after, tally, marks, onPage, signal }));
    },
    async observe() {
      const kept = await results.find().catch((error: unknown) => {
        gauges.tellAge();
        throw error;
      });
      if (kept === undefined) gauges.tellAge();
      else gauges.tell(kept);
    },
  };
}
