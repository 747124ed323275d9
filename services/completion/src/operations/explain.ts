import type { Nano } from '@tollgate/core';
import type { Candidate } from '../routing/candidate';
import { costEstimateOf, type JudgedCandidate, judgeRoute } from '../routing/choose';
import { type CandidateHealth, cooldownOf } from '../routing/health';
import { wantedTokensOf } from '../routing/rank';
import type { RouteQuery } from '../routing/route-query';
import { requireTable } from '../routing/route-table';
import { expectedAnswerMsOf } from '../routing/speed-order';
import type { PlanDependencies } from './plan';
import type { CompletionRequest } from './request';
import { forEachName, healthFor, toRouteQuery } from './to-route-query';

/** A way to answer the request, and what speaks for or against it. */
export interface ExplainedCandidate {
  readonly candidate: Candidate;
  readonly rank: number;
  readonly eligible: boolean;
  /**
   * What speaks for it; of one that cannot serve only why not, and nothing of its channel's figures:
   * the playground (`merge-route.ts` of the console) shows that to customers, who see no channels.
   */
  readonly reasons: readonly string[];
  readonly estimate: Nano;
  readonly figures: CandidateFigures;
}

/** What is known of a model at its channel; undefined before it was measured. */
export interface CandidateFigures {
  readonly priority: number;
  readonly weight: number;
  readonly firstTokenMs: number | undefined;
  readonly tokensPerSecond: number | undefined;
  /** Of this request. */
  readonly expectedMs: number | undefined;
  readonly successRate: number | undefined;
  readonly calls: number;
  /** How long its vendor still wants to be left alone. */
  readonly cooldownMs: number | undefined;
}

/**
 * Ranks every candidate by the very rules that choose for a completion. Calls and charges nothing;
 * refuses names as a completion would.
 */
export function explainRoute(
  deps: PlanDependencies,
  request: CompletionRequest,
): readonly ExplainedCandidate[] {
  const query = toRouteQuery(request, deps.tieBreakers.peek, deps.clock.monotonicMs());
  const healthOf = healthFor(deps, request);
  const table = requireTable(deps.routeTable());
  const judged = forEachName(request, query, (named) =>
    judgeRoute(table, healthOf, named).map((each) => ({ ...each, query: named })),
  ).flat();
  return rankOnce(judged).map(({ candidate, whyNot, sticky, query: named }, index) => {
    const health = healthOf(candidate);
    const figures = figuresOf(candidate, health, named);
    return {
      candidate,
      rank: index + 1,
      eligible: whyNot === undefined,
      reasons:
        whyNot === undefined ? reasonsFor(candidate, health, figures, named, sticky) : [whyNot],
      estimate: costEstimateOf(candidate, named),
      figures,
    };
  });
}

/** Those that can serve come first; one that several names stand for has its best place alone. */
function rankOnce<Judged extends JudgedCandidate>(judged: readonly Judged[]): readonly Judged[] {
  const isEligible = ({ whyNot }: Judged) => whyNot === undefined;
  const ranked = [...judged.filter(isEligible), ...judged.filter((each) => !isEligible(each))];
  const places = new Map<Candidate, Judged>();
  for (const each of ranked) if (!places.has(each.candidate)) places.set(each.candidate, each);
  return [...places.values()];
}

function figuresOf(
  { channel, model }: Candidate,
  health: CandidateHealth,
  query: RouteQuery,
): CandidateFigures {
  return {
    priority: channel.priority,
    weight: channel.weight,
    firstTokenMs: health.firstTokenMs ?? channel.firstTokenMs ?? undefined,
    tokensPerSecond: health.tokensPerSecond,
    expectedMs: expectedAnswerMsOf(channel, health, wantedTokensOf(model, query)),
    successRate: health.successRate,
    calls: health.calls ?? 0,
    cooldownMs: cooldownOf(health),
  };
}

function reasonsFor(
  { healthy }: Candidate,
  { isCrowded, standing }: CandidateHealth,
  figures: CandidateFigures,
  query: RouteQuery,
  sticky: boolean,
): readonly string[] {
  const reasons = [`priority ${figures.priority}, weight ${figures.weight}`];
  if (sticky) reasons.push('prompts are cached: the turns of this conversation stay together');
  if (!healthy) reasons.push('this model failed at the channel lately');
  if (standing === 'demoted') reasons.push('other channels of this model do better at present');
  if (isCrowded === true) {
    reasons.push(
      'a call would wait, because the account has all connections there that it may have',
    );
  }
  if (query.name.routing === 'auto-cheap') reasons.push('ranked by the price of this request');
  if (query.name.routing === 'auto-fast') reasons.push(...speedReasonsFor(figures));
  return reasons;
}

function speedReasonsFor(figures: CandidateFigures): readonly string[] {
  const { expectedMs, firstTokenMs, tokensPerSecond } = figures;
  const reasons = [
    firstTokenMs === undefined
      ? 'its first token was not measured yet'
      : `its first token takes about ${Math.round(firstTokenMs)} ms`,
  ];
  if (tokensPerSecond !== undefined) {
    reasons.push(`it sends about ${Math.round(tokensPerSecond)} tokens a second`);
  }
  if (expectedMs !== undefined) {
    reasons.push(`this answer is expected to take ${Math.round(expectedMs)} ms`);
  }
  return reasons;
}
