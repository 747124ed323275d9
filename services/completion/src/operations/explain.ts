import type { Nano } from '@tollgate/core';
import {
  estimateOf,
  expectedMsOf,
  type RouteQuery,
  rankCandidates,
  rejectionOf,
  selectCandidates,
} from '../routing/choose';
import type { HealthLookup } from '../routing/health';
import { type Candidate, requireTable } from '../routing/route-table';
import { type PlanDependencies, toRouteQuery } from './plan';
import type { CompletionRequest } from './request';

/** A way to answer the request, and what speaks for or against it. */
export interface ExplainedCandidate {
  readonly candidate: Candidate;
  readonly rank: number;
  readonly eligible: boolean;
  readonly reasons: readonly string[];
  readonly estimate: Nano;
}

/**
 * Ranks every candidate by the very rules that choose for a completion. Calls and charges nothing;
 * refuses names as a completion would.
 */
export function explainRoute(
  deps: PlanDependencies,
  request: CompletionRequest,
): readonly ExplainedCandidate[] {
  const query = toRouteQuery(request, deps.seeds.peek);
  const healthOf = deps.vendors.views;
  const candidates = selectCandidates(requireTable(deps.routeTable()), query);
  const eligible = candidates.filter(
    (candidate) => rejectionOf(candidate, healthOf, query) === undefined,
  );
  const rejected = candidates.filter((candidate) => !eligible.includes(candidate));
  const ranked = [
    ...rankCandidates(eligible, healthOf, query),
    ...rankCandidates(rejected, healthOf, query),
  ];
  return ranked.map((candidate, index) => {
    const rejection = rejectionOf(candidate, healthOf, query);
    return {
      candidate,
      rank: index + 1,
      eligible: rejection === undefined,
      reasons: rejection === undefined ? reasonsFor(candidate, healthOf, query) : [rejection],
      estimate: estimateOf(candidate, query),
    };
  });
}

function reasonsFor(
  candidate: Candidate,
  healthOf: HealthLookup,
  query: RouteQuery,
): readonly string[] {
  const { channel } = candidate;
  const reasons = [`priority ${channel.priority}, weight ${channel.weight}`];
  if (!candidate.healthy) reasons.push('this model failed at the channel lately');
  if (healthOf(candidate).standing === 'demoted') {
    reasons.push('other channels of this model do better at present');
  }
  if (query.name.routing === 'auto-cheap') reasons.push('ranked by the price of this request');
  if (query.name.routing === 'auto-fast') {
    const health = healthOf(candidate);
    const measured = health.firstTokenMs ?? channel.firstTokenMs;
    reasons.push(
      measured === null
        ? 'its first token was not measured yet'
        : `its first token takes about ${Math.round(measured)} ms`,
    );
    const { tokensPerSecond } = health;
    if (tokensPerSecond !== undefined) {
      reasons.push(`it sends about ${Math.round(tokensPerSecond)} tokens a second`);
    }
    const expectedMs = expectedMsOf(candidate, health, query);
    if (expectedMs !== undefined) {
      reasons.push(`this answer is expected to take ${Math.round(expectedMs)} ms`);
    }
  }
  return reasons;
}
