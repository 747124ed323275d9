import { priceOf } from '../support/vendors/simulator';
import type { Attempt } from './attempt';
import type { LedgerLine } from './books';
import { type Evidence, joinRequests, type Request, type Violation, wasHit } from './evidence';
import type { Outage } from './fault-system';

/** What kill -9 may leave uncharged of a stream: what came after its last checkpoint. */
const CHECKPOINT_TOKENS = 64;

/** What the requests of a run come to, besides what is wrong. */
export interface RequestSums {
  readonly requests: number;
  readonly charged: number;
  readonly chargedTokens: number;
  /** Killed before anything was durable, so before anything was delivered: no record, no charge. */
  readonly unrecorded: number;
  /** Tokens that clients got beyond the last checkpoint of a killed process. */
  readonly unchargedTailTokens: number;
  /** Tokens charged that the client did not see: they were on their way when something was killed. */
  readonly unseenTokens: number;
  /** Nano-units of price that were not charged: absorbed, or beyond what was reserved. */
  readonly shortfallNano: bigint;
}

/** Compares each request's charge with what its client and the vendor saw. */
export function checkRequests(evidence: Evidence): {
  readonly violations: readonly Violation[];
  readonly sums: RequestSums;
} {
  const requests = joinRequests(evidence);
  const violations: Violation[] = [];
  const sums = {
    requests: requests.length,
    charged: 0,
    chargedTokens: 0,
    unrecorded: 0,
    unchargedTailTokens: 0,
    unseenTokens: 0,
    shortfallNano: 0n,
  };
  for (const request of requests) {
    violations.push(...checkRequest(request, evidence));
    if (request.charges.length === 0) sums.unrecorded += 1;
    for (const charge of request.charges) {
      const seen = request.attempt?.tokens ?? 0;
      if (charge.amountNano > 0n) sums.charged += 1;
      sums.chargedTokens += charge.completionTokens;
      sums.unchargedTailTokens += Math.max(0, seen - charge.completionTokens);
      sums.unseenTokens += Math.max(0, charge.completionTokens - seen);
      sums.shortfallNano += priceOfLine(charge) - charge.amountNano;
    }
  }
  return { violations, sums };
}

const priceOfLine = ({ promptTokens, completionTokens }: LedgerLine): bigint =>
  priceOf({ prompt: promptTokens, completion: completionTokens });

function checkRequest(request: Request, evidence: Evidence): readonly Violation[] {
  const { attempt, charges, requestId } = request;
  const accountId = attempt?.accountId ?? 'unknown';
  const violation = (kind: Violation['kind'], text: string): Violation => ({
    kind,
    accountId,
    requestId,
    text: `${text}; ${describe(request)}`,
  });
  const [charge] = charges;
  if (charge === undefined) {
    return mayBeUnrecorded(attempt, evidence) ? [] : [violation('lost', 'no ledger entry')];
  }
  if (charges.length > 1) return [violation('double', `${charges.length} ledger entries`)];
  const price = priceOfLine(charge);
  const found: Violation[] = [];
  if (charge.amountNano > price) found.push(violation('overcharged', `more than ${price}`));
  if (charge.completionTokens > request.deliveredTokens) {
    found.push(violation('overcharged', 'more tokens than the vendor delivered'));
  }
  if (attempt === undefined) {
    // A client that never heard of its request is told nothing, and owes nothing for it.
    if (charge.amountNano > 0n) found.push(violation('overcharged', 'nobody asked for it'));
  } else if (attempt.finished) {
    found.push(...checkFinished(request, charge).map((text) => violation('lost', text)));
  } else {
    found.push(...checkCut(request, charge, evidence, violation));
  }
  return found;
}

/** The vendor is called while BEGIN is on its way to the disk; nothing is delivered before it is. */
function mayBeUnrecorded(attempt: Attempt | undefined, { outages }: Evidence): boolean {
  if (attempt === undefined || attempt.tokens > 0 || attempt.finished) return false;
  return wasKilled(attempt, outages);
}

/** How long the end of a request may be on its way to a slow disk after its client has left. */
const END_MS_MAX = 5_000;

function wasKilled(attempt: Attempt, outages: readonly Outage[]): boolean {
  const whole = { ...attempt, untilMs: attempt.untilMs + END_MS_MAX };
  const isMeant = ({ kind, target }: Outage) =>
    kind === 'kill' && isReplicaOf('completion', target);
  return wasHit(whole, outages, isMeant);
}

/** A client that got its answer to the end pays for exactly what it was told. */
function checkFinished({ attempt }: Request, charge: LedgerLine): readonly string[] {
  const usage = attempt?.usage;
  if (usage === undefined) return ['a complete answer without counts'];
  const problems: string[] = [];
  if (charge.source !== 'exact') problems.push('a complete answer that was not counted exactly');
  if (charge.completionTokens !== usage.completionTokens) problems.push('other completion tokens');
  if (charge.promptTokens !== usage.promptTokens) problems.push('other prompt tokens');
  if (attempt?.tokens !== usage.completionTokens) problems.push('words are missing');
  return problems;
}

/** A client that got a part pays for no less than that part, but for one checkpoint after a kill. */
function checkCut(
  { attempt }: Request,
  charge: LedgerLine,
  { outages }: Evidence,
  violation: (kind: Violation['kind'], text: string) => Violation,
): readonly Violation[] {
  if (attempt === undefined) return [];
  // What a restart found unfinished says so itself.
  const killed = charge.reason === 'crash' && wasKilled(attempt, outages);
  const owed = Math.max(0, attempt.tokens - (killed ? CHECKPOINT_TOKENS : 0));
  if (charge.completionTokens < owed) return [violation('lost', `at least ${owed} tokens owed`)];
  const onItsWay =
    attempt.tokens > 0 ||
    wasHit(
      attempt,
      outages,
      ({ target }) => isReplicaOf('completion', target) || isReplicaOf('gateway', target),
    );
  if (charge.amountNano > 0n && !onItsWay) {
    return [violation('overcharged', 'the client got nothing, and nobody was hit')];
  }
  return [];
}

function isReplicaOf(service: 'completion' | 'gateway', target: Outage['target']): boolean {
  return target === service || target.startsWith(`${service}-`);
}

function describe({ attempt, charges, deliveredTokens, vendorCalls }: Request): string {
  const client =
    attempt === undefined
      ? 'no client'
      : `client ${attempt.tag} got ${attempt.tokens} of a ${attempt.stream ? 'stream' : 'whole'}` +
        ` with status ${attempt.status ?? 'none'} ${attempt.errorCode ?? ''}` +
        ` from ${Math.round(attempt.fromMs)} to ${Math.round(attempt.untilMs)} ms` +
        `${attempt.left ? ', left' : ''}${attempt.finished ? ', finished' : ''}`;
  const entries = charges.map(
    ({ seq, amountNano, promptTokens, completionTokens, source, reason }) =>
      `#${seq} ${amountNano} for ${promptTokens}+${completionTokens} ${source} ${reason}`,
  );
  const vendor = `vendor ${deliveredTokens} tokens in ${vendorCalls} calls`;
  return `${client}; ${vendor}; ledger: ${entries.join(', ') || 'nothing'}`;
}
