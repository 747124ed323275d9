import { AppError, type Logger } from '@tollgate/core';
import { judgeRoute } from '../routing/choose';
import { requireTable } from '../routing/route-table';
import type { TokenCounter } from '../usage/count';
import { forEachName, type PlanDependencies, toRouteQuery } from './plan';
import type { CompletionRequest } from './request';

export interface CountTokensDependencies extends PlanDependencies {
  readonly tokens: Pick<TokenCounter, 'countPrompt'>;
  readonly logger: Logger;
}

/** Tokens of the prompt of a request that is not made. */
export type CountTokens = (request: CompletionRequest) => Promise<number>;

/**
 * Records of answers wait for the same thread. A count takes a quarter of a second at most, so
 * that many cost a record two seconds of the five that it waits.
 */
const COUNTS_MAX = 8;

/**
 * Counts by our own vocabulary, images and files as vendors usually count them. Refuses names as a
 * completion would; a prompt that is too long for the model has a count too.
 */
export function createCountTokens(deps: CountTokensDependencies): CountTokens {
  let counting = 0;
  return async (request) => {
    const query = toRouteQuery(request, deps.seeds.peek, deps.clock.monotonicMs());
    const table = requireTable(deps.routeTable());
    forEachName(request, query, (named) => judgeRoute(table, deps.vendors.views, named));
    if (counting >= COUNTS_MAX) throw notNow('too many prompts are counted at once');
    counting += 1;
    try {
      const { messages, parameters } = request;
      return await deps.tokens.countPrompt(messages, parameters.capabilityMembers);
    } catch (error) {
      deps.logger.warn({ error, requestId: request.requestId }, 'a prompt was not counted');
      throw notNow('the prompt was not counted');
    } finally {
      counting -= 1;
    }
  };
}

function notNow(internalMessage: string): AppError {
  return new AppError('SERVICE_UNAVAILABLE', { internalMessage, retryAfterMs: 1000 });
}
