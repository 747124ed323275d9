import type { Nano } from '@tollgate/core';
import {
  estimateOf,
  type OfferViews,
  type RouteQuery,
  rankOffers,
  rejectionOf,
  selectOffers,
} from '../domain/choose-route';
import type { CompletionRequest } from '../domain/completion-request';
import type { Offer } from '../domain/route-table';
import type { CompletionDependencies } from './dependencies';
import { requireTable, toRouteQuery } from './plan-route';

/** A way to answer the request, and what speaks for or against it. */
export interface ExplainedCandidate {
  readonly offer: Offer;
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
  deps: Pick<CompletionDependencies, 'routeTable' | 'vendors' | 'random'>,
  request: CompletionRequest,
): readonly ExplainedCandidate[] {
  const query = toRouteQuery(request, deps.random);
  const { views } = deps.vendors;
  const offers = selectOffers(requireTable(deps), query);
  const eligible = offers.filter((offer) => rejectionOf(offer, views, query) === undefined);
  const rejected = offers.filter((offer) => !eligible.includes(offer));
  const ranked = [...rankOffers(eligible, views, query), ...rankOffers(rejected, views, query)];
  return ranked.map((offer, index) => {
    const rejection = rejectionOf(offer, views, query);
    return {
      offer,
      rank: index + 1,
      eligible: rejection === undefined,
      reasons: rejection === undefined ? reasonsFor(offer, views, query) : [rejection],
      estimate: estimateOf(offer, query),
    };
  });
}

function reasonsFor(offer: Offer, views: OfferViews, query: RouteQuery): readonly string[] {
  const { channel } = offer;
  const reasons = [`priority ${channel.priority}, weight ${channel.weight}`];
  if (!offer.healthy) reasons.push('this model failed at the channel lately');
  if (query.name.routing === 'auto-cheap') reasons.push('ranked by the price of this request');
  if (query.name.routing === 'auto-fast') {
    const measured = views(offer).firstTokenMs ?? channel.firstTokenMs;
    reasons.push(
      measured === null
        ? 'its first token was not measured yet'
        : `its first token takes about ${Math.round(measured)} ms`,
    );
  }
  return reasons;
}
