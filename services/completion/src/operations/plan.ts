import { AppError, type Clock } from '@tollgate/core';
import {
  type CostInput,
  type CostRange,
  costRangeOf,
  coverAll,
  withPromptAtMost,
} from '../credit/cost-range';
import type { VendorPort } from '../domain/vendor';
import { type Candidate, isOwnChannel } from '../routing/candidate';
import { chooseRoute } from '../routing/choose';
import { type RouteTable, requireTable } from '../routing/route-table';
import type { CompletionRequest } from './request';
import {
  costInputOf,
  forEachName,
  healthFor,
  type TieBreakers,
  toRouteQuery,
} from './to-route-query';

/** The state that a choice of channels depends on besides the request. */
export interface PlanDependencies {
  /** Undefined before the first table came. */
  readonly routeTable: () => RouteTable | undefined;
  readonly vendors: Pick<VendorPort, 'healthOf'>;
  readonly tieBreakers: TieBreakers;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

/** How a request is to be served and paid. */
export interface RequestPlan {
  /** Those that may be tried, best first, each with what the request may cost there. */
  readonly candidates: readonly PricedCandidate[];
  readonly first: PricedCandidate;
  /** All of them are channels of the account itself. */
  readonly isOwn: boolean;
  /** Covers the dearest of the candidates that are tried at most. */
  readonly credit: CostRange;
}

/** A candidate with what the request may cost there: reckoned once, asked for at every step. */
export interface PricedCandidate {
  readonly candidate: Candidate;
  readonly input: CostInput;
  readonly costRange: CostRange;
}

/** Chooses the candidates and finds what may be spent on `attemptsMax` of them; throws refusals. */
export function planRequest(
  deps: PlanDependencies,
  request: CompletionRequest,
  attemptsMax: number,
): RequestPlan {
  const query = toRouteQuery(request, deps.tieBreakers.take, deps.clock.monotonicMs());
  const table = requireTable(deps.routeTable());
  const candidatesPerName = forEachName(request, query, (named) =>
    chooseRoute(table, healthFor(deps, request), named, attemptsMax),
  );
  // Whoever owns the key chooses its budget. With one that is too small, a prompt that the vendor
  // counts higher than we estimate would be paid by nobody.
  const reservesPromptAtMost = request.caller.budget !== undefined;
  return planOf(
    shareAttempts(candidatesPerName, attemptsMax).map((candidate) => {
      const input = costInputOf(candidate, query);
      return pricedAt(candidate, reservesPromptAtMost ? withPromptAtMost(input) : input);
    }),
  );
}

/**
 * The plan with every prompt reckoned at its most: a candidate is called only when the reservation
 * pays for that.
 */
export function withPromptsAtMost({ candidates }: RequestPlan): RequestPlan {
  return planOf(
    candidates.map(({ candidate, input }) => pricedAt(candidate, withPromptAtMost(input))),
  );
}

function pricedAt(candidate: Candidate, input: CostInput): PricedCandidate {
  return { candidate, input, costRange: costRangeOf(input) };
}

function planOf(candidates: readonly PricedCandidate[]): RequestPlan {
  const [first, ...others] = candidates;
  if (first === undefined) throw new AppError('INTERNAL_ERROR');
  const credit = coverAll(
    first.costRange,
    others.map(({ costRange }) => costRange),
  );
  const isOwn = candidates.every(({ candidate }) => isOwnChannel(candidate));
  return { candidates, first, isOwn, credit };
}

/**
 * Every name keeps an attempt, as far as there are any; the earlier ones have the others. When there
 * are fewer attempts than names, those at the end have none. What a name does not use, because those
 * before it have all of its candidates, goes to the earlier ones.
 */
function shareAttempts(
  candidatesPerName: readonly (readonly Candidate[])[],
  attemptsMax: number,
): readonly Candidate[] {
  const shared = new Set<Candidate>();
  for (const [place, candidates] of candidatesPerName.entries()) {
    const left = attemptsMax - shared.size;
    const kept = Math.min(candidatesPerName.length - place - 1, Math.max(0, left - 1));
    for (const candidate of candidates) {
      if (shared.size >= attemptsMax - kept) break;
      shared.add(candidate);
    }
  }
  for (const candidate of candidatesPerName.flat()) {
    if (shared.size >= attemptsMax) break;
    shared.add(candidate);
  }
  return [...shared];
}
