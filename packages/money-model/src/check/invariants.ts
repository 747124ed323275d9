import { type Account, checkAccount, type JournalItem } from '@tollgate/billing/model-api';
import {
  decodeRecord,
  type LeaseRules,
  type LeaseWatermark,
  type SpoolRecord,
  scanFrames,
  type VendorCall,
} from '@tollgate/completion/model-api';
import {
  discountedPrices,
  type NumberedRecord,
  nano,
  priceOf,
  type UnitPrices,
} from '@tollgate/core';
import {
  BYTES_PER_TOKEN,
  COMPLETION_TOKENS_MAX,
  DEAR_PRICES,
  type ModelRequest,
  membersOf,
  PRICES,
  type RequestEnd,
} from '../workload/workload';
import {
  createSuspensionsTold,
  isSuspended,
  type SuspensionsTold,
  watchSuspension,
} from './suspension-rule';

/** A spool's durable records about one lease. */
interface LeaseObservations {
  highest: number;
  closedAt: number | undefined;
  /** Durable ENDs, and reservations that were spent; none is released, see `RUNS_MAX`. */
  ends: number;
  spent: number;
  usableUntilMs: number;
}

/**
 * Watches everything that money depends on while a schedule runs, and says at once when a rule is
 * broken: what becomes durable, what a majority of the store has, what is reserved and what leaves.
 */
export interface Invariants {
  readonly violations: readonly string[];
  /** How often something worth knowing happened. */
  readonly met: ReadonlyMap<string, number>;
  report(violation: string): void;
  /** Counts it among what was met. */
  meet(name: string): void;
  /** Tells whoever replays a schedule what happens. */
  tell(event: string): void;
  /** Frames of a spool that no power cut can take any more. */
  durable(bytes: Buffer): void;
  account(before: Account | undefined, after: Account): void;
  /** The holder heard that it was granted or renewed: it reserves until then. */
  granted(accountId: string, lease: number, usableUntilMs: number): void;
  readonly suspensions: SuspensionsTold;
  /** The rules with every reservation watched when it is made and when it is spent. */
  watchRules(rules: LeaseRules): LeaseRules;
  /** A vendor is asked for an answer. */
  calls(request: ModelRequest, call: VendorCall): void;
  beginsToAnswer(request: ModelRequest): void;
  ends(request: ModelRequest, end: RequestEnd): void;
}

/** The state that the invariants are checked against. */
export interface InvariantDependencies {
  readonly requests: ReadonlyMap<string, ModelRequest>;
  readonly accounts: () => ReadonlyMap<string, Account>;
  /** Whether a majority has the item in the ledger and, until it was told, in the outbox. */
  readonly isStored: (accountId: string, item: JournalItem) => boolean;
  /** Limit of each budgeted key. */
  readonly limits: ReadonlyMap<string, bigint>;
  readonly tell: (event: string) => void;
  readonly elapsedMs: () => number;
}

export function createInvariants(deps: InvariantDependencies): Invariants {
  const violations: string[] = [];
  const { tell } = deps;
  const met = new Map<string, number>();
  const report = (violation: string) => {
    tell(`VIOLATION ${violation}`);
    // One cause shows in many places; the first ones say what it is.
    if (violations.length < 20) violations.push(violation);
  };
  const meet = (name: string) => met.set(name, (met.get(name) ?? 0) + 1);
  const suspensions = createSuspensionsTold(deps.elapsedMs);
  const leases = new Map<string, LeaseObservations>();
  const leaseOf = (ref: {
    readonly accountId: string;
    readonly lease: number;
  }): LeaseObservations => {
    const key = `${ref.accountId}/${ref.lease}`;
    const known = leases.get(key);
    if (known !== undefined) return known;
    const observed = { highest: 0, closedAt: undefined, ends: 0, spent: 0, usableUntilMs: 0 };
    leases.set(key, observed);
    return observed;
  };
  return {
    violations,
    met,
    report,
    meet,
    tell,
    suspensions,
    durable(bytes) {
      for (const { payload } of scanFrames(bytes).frames) {
        const record = decodeRecord(payload);
        if (record === undefined) continue;
        tell(`durable ${describeRecord(record)}`);
        watchRecord(record, { ...deps, leaseOf, report });
      }
    },
    account(before, after) {
      tell(describeAccount(after));
      for (const name of changesOf(before, after)) meet(name);
      watchAccount(before, after, deps, report);
      watchSweep(before, after, { ...deps, leaseOf, report });
    },
    granted(accountId, lease, usableUntilMs) {
      const observed = leaseOf({ accountId, lease });
      observed.usableUntilMs = Math.max(observed.usableUntilMs, usableUntilMs);
    },
    watchRules: (rules) => watchRules(rules, { ...deps, leaseOf, report, suspensions }),
    calls: (request, call) => watchCall(request, call, report),
    beginsToAnswer({ requestId, observed }) {
      if (!observed.beginDurable) report(`${requestId} answered before its BEGIN was durable`);
    },
    ends(request, end) {
      const { requestId, observed } = request;
      observed.outcome = end;
      tell(`${requestId} ${end.kind} ${'amount' in end ? end.amount : end.code}`);
      const charged = end.kind === 'answered' || (end.kind === 'cut' && end.amount > 0n);
      if (charged && observed.ends.length === 0) {
        report(`the last byte of ${requestId} left before its END was durable`);
      }
    },
  };
}

interface Watching extends InvariantDependencies {
  readonly report: (violation: string) => void;
  readonly leaseOf: (ref: {
    readonly accountId: string;
    readonly lease: number;
  }) => LeaseObservations;
}

function describeRecord(record: SpoolRecord): string {
  switch (record.kind) {
    case 'header':
      return `header of segment ${record.segment}, epoch ${record.epoch}`;
    case 'lease':
      return `lease ${record.accountId}/${record.lease} to ${record.highest} ${record.closed}`;
    case 'begin':
      return `BEGIN ${record.start.requestId} on ${record.start.lease}, reserved ${record.start.reserved}`;
    case 'checkpoint':
      return `checkpoint ${record.requestId} ${record.progress.deliveredBytes} bytes`;
    case 'usage': {
      const { accountId, lease, number, requestId, amount } = record;
      return `END ${accountId}/${lease}#${number} ${requestId} ${amount}`;
    }
    case 'close':
      return `CLOSE ${record.accountId}/${record.lease}#${record.number}`;
    case 'settled':
      return `settled ${JSON.stringify(record.settlements)}`;
  }
}

/** Effects of a write that not every schedule sees. */
function changesOf(before: Account | undefined, after: Account): readonly string[] {
  const changes: string[] = [];
  for (const [number, { swept, recall, expiresAtMs }] of after.leases) {
    const former = before?.leases.get(number);
    if (swept && former?.swept === false) changes.push('lease swept');
    if (recall && former?.recall === false) changes.push('lease recalled');
    if (former !== undefined && expiresAtMs > former.expiresAtMs) changes.push('lease renewed');
  }
  for (const [keyId, { periodStartMs, leased }] of after.budgets) {
    const former = before?.budgets.get(keyId);
    if (former === undefined || former.periodStartMs === periodStartMs) continue;
    changes.push(leased > 0n ? 'rollover with credit leased' : 'rollover');
  }
  if (before !== undefined && isSuspended(before) !== isSuspended(after)) {
    changes.push(isSuspended(after) ? 'spending suspended' : 'spending resumed');
  }
  for (const number of before?.leases.keys() ?? []) {
    if (after.leases.has(number)) continue;
    changes.push(before?.leases.get(number)?.swept ? 'swept lease closed' : 'lease closed');
  }
  return changes;
}

function describeAccount({ id, rev, available, posted, leases, ledgerSeq }: Account): string {
  const open = [...leases].map(([number, { remaining, nextNumber, swept }]) => {
    return `${number}:${remaining}@${nextNumber}${swept ? ' swept' : ''}`;
  });
  return `${id} rev ${rev}: ${available} + [${open.join(', ')}] + ${posted}, ledger ${ledgerSeq}`;
}

const FREE: UnitPrices = { prompt: nano(0n), completion: nano(0n), cachedPrompt: nano(0n) };
const PRICE_LISTS = [PRICES, DEAR_PRICES, FREE];

function isSame(a: UnitPrices, b: UnitPrices): boolean {
  if (a.prompt !== b.prompt || a.completion !== b.completion) return false;
  return a.cachedPrompt === b.cachedPrompt && a.cacheWrite === b.cacheWrite;
}

function watchRecord(record: SpoolRecord, watching: Watching): void {
  switch (record.kind) {
    case 'header':
    case 'lease':
      return;
    case 'begin': {
      const request = watching.requests.get(record.start.requestId);
      if (request === undefined) return;
      const observed = request.observed;
      const isTheirs = PRICE_LISTS.some((list) =>
        isSame(discountedPrices(list, request.discount), record.start.prices),
      );
      if (!isTheirs) watching.report(`${request.requestId} begins with prices of nobody`);
      if (!isSame(FREE, record.start.prices)) watchPayer(request, record.start.lease, watching);
      observed.beginDurable = true;
      observed.reserved = record.start.reserved;
      observed.prices = record.start.prices;
      return;
    }
    case 'checkpoint': {
      const observed = watching.requests.get(record.requestId)?.observed;
      if (observed !== undefined)
        observed.checkpointed = record.progress.deliveredBytes / BYTES_PER_TOKEN;
      return;
    }
    case 'usage':
    case 'close':
      watchNumber(record, watching);
      return;
    case 'settled':
      for (const settlement of record.settlements) watchSettled(settlement, watching);
  }
}

/** A key with a budget pays out of leases of its own, or nothing would hold it to the budget. */
function watchPayer(
  { accountId, budget, requestId }: ModelRequest,
  lease: number,
  { accounts, report }: Watching,
): void {
  const stored = accounts().get(accountId)?.leases.get(lease);
  if (stored !== undefined && stored.keyId !== budget?.keyId) {
    report(`${requestId} is paid by ${stored.keyId ?? accountId}, not by ${budget?.keyId}`);
  }
}

/** Numbers are gapless in the order of the file, and nothing comes after a CLOSE. */
function watchNumber(entry: NumberedRecord, { requests, leaseOf, report }: Watching): void {
  const place = `${entry.accountId}/${entry.lease}#${entry.number}`;
  const observed = leaseOf(entry);
  const ends = entry.kind === 'usage' ? requests.get(entry.requestId)?.observed.ends : undefined;
  if (entry.number <= observed.highest) {
    // A copy that compaction carried forward; anything else would repeat a number.
    const isCopy =
      entry.kind === 'close'
        ? entry.number === observed.closedAt
        : ends?.some(({ lease, number }) => lease === entry.lease && number === entry.number);
    if (!isCopy) report(`record ${place} repeats a number`);
    return;
  }
  if (entry.number !== observed.highest + 1) report(`record ${place} leaves a gap`);
  if (observed.closedAt !== undefined) report(`record ${place} comes after the lease's CLOSE`);
  observed.highest = entry.number;
  if (entry.kind === 'close') {
    observed.closedAt = entry.number;
    return;
  }
  observed.ends += 1;
  ends?.push(entry);
  if (ends !== undefined && ends.length > 1) report(`${entry.requestId} ended more than once`);
}

/** Whatever a spool forgets is settled. */
function watchSettled(
  { accountId, lease, nextNumber, complete }: LeaseWatermark,
  watching: Watching,
) {
  const account = watching.accounts().get(accountId);
  const next = account?.leases.get(lease)?.nextNumber ?? account?.retired.get(lease);
  const existed = account !== undefined && lease <= account.leaseNo;
  const settled = next === undefined ? existed : !complete && nextNumber <= next;
  if (!settled) {
    watching.report(`the spool forgot ${accountId}/${lease} below ${nextNumber} before it settled`);
  }
}

function grantedBy(item: JournalItem): bigint {
  return item.kind === 'entry' && item.entry.kind !== 'charge' ? item.entry.amount : 0n;
}

function watchAccount(
  before: Account | undefined,
  after: Account,
  { limits, isStored }: InvariantDependencies,
  report: (violation: string) => void,
): void {
  for (const { rule, detail } of checkAccount(after)) report(`${after.id}: ${rule}: ${detail}`);
  if (after.rev !== (before?.rev ?? 0) + 1) {
    report(`${after.id}: write ${after.rev} follows write ${before?.rev ?? 0}`);
  }
  for (const [keyId, { spent, leased }] of after.budgets) {
    const limit = limits.get(keyId);
    if (limit !== undefined && spent + leased > limit) {
      report(`${after.id}: ${keyId} has ${spent} spent and ${leased} leased of ${limit}`);
    }
  }
  if (before === undefined) return;
  watchSuspension(before, after, report);
  const [oldest] = after.journal;
  for (const item of before.journal) {
    if (oldest !== undefined && item.no >= oldest.no) break;
    if (!isStored(after.id, item)) {
      report(`${after.id}: item ${item.no} left the journal before it was stored`);
    }
  }
  const granted = after.journal
    .filter(({ no }) => no > before.journalNo)
    .reduce((sum, item) => sum + grantedBy(item), before.granted as bigint);
  if (after.granted !== granted) report(`${after.id}: ${after.granted} granted, not ${granted}`);
  if (after.posted < before.posted) report(`${after.id}: charges were taken back`);
  if (after.leaseNo < before.leaseNo) report(`${after.id}: a lease number comes again`);
}

/** Credit is taken back only when its holder has stopped to reserve it by itself. */
function watchSweep(before: Account | undefined, after: Account, watching: Watching): void {
  for (const [lease, { swept }] of after.leases) {
    if (!swept || before?.leases.get(lease)?.swept !== false) continue;
    const { usableUntilMs } = watching.leaseOf({ accountId: after.id, lease });
    if (watching.elapsedMs() < usableUntilMs) {
      watching.report(`${after.id}/${lease} was swept while its holder may reserve`);
    }
  }
}

/** The answer that is asked for costs no more than its client allows, whatever the prompt counts. */
function watchCall(
  request: ModelRequest,
  { candidate, maxTokens = COMPLETION_TOKENS_MAX }: VendorCall,
  report: (violation: string) => void,
): void {
  const { choices, costMax, discount, messages, requestId } = request;
  if (costMax === undefined || candidate.channel.ownerAccountId !== null) return;
  const completion = request.asks === 'vectors' ? 0 : maxTokens * choices;
  const prompt = messages.length + membersOf(request).length;
  const counts = { prompt, completion, cached: 0 };
  const cost = priceOf(discountedPrices(candidate.model.prices, discount), counts);
  if (cost > costMax) {
    report(`${requestId} asks for an answer of ${cost}, its client allowed ${costMax}`);
  }
}

function watchRules(
  rules: LeaseRules,
  watching: Watching & { readonly suspensions: SuspensionsTold },
): LeaseRules {
  return {
    ...rules,
    reserve(lease, amount, monotonicNowMs) {
      const next = rules.reserve(lease, amount, monotonicNowMs);
      if (next === undefined || amount === 0n) return next;
      watching.suspensions.watch(lease.accountId, lease.lease, watching.report);
      const place = `${lease.accountId}/${lease.lease}`;
      const stored = watching.accounts().get(lease.accountId)?.leases.get(lease.lease);
      if (stored === undefined) watching.report(`reserved in ${place}, which does not exist`);
      else if (stored.swept)
        watching.report(`reserved in ${place} after its credit was taken back`);
      else if (next.reserved > stored.remaining) {
        watching.report(`reserved ${next.reserved} in ${place}, which holds ${stored.remaining}`);
      }
      return next;
    },
    spend(lease, reserved, charged) {
      const observed = watching.leaseOf(lease);
      observed.spent += 1;
      if (observed.spent > observed.ends) {
        const place = `${lease.accountId}/${lease.lease}`;
        watching.report(`a reservation in ${place} was spent before its END was durable`);
      }
      return rules.spend(lease, reserved, charged);
    },
  };
}
