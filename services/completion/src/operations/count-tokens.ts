import { AppError, type Clock, createTurnsByKey, type Logger } from '@tollgate/core';
import { withoutThoughts } from '../domain/earlier-thoughts';
import { judgeRoute } from '../routing/choose';
import { requireTable } from '../routing/route-table';
import type { ClientTokenCounter } from '../usage/count';
import type { PlanDependencies } from './plan';
import type { PromptRoom } from './prompt-room';
import type { CompletionRequest } from './request';
import { forEachName, healthFor, toRouteQuery } from './to-route-query';

export interface CountTokensDependencies extends PlanDependencies {
  readonly tokens: Pick<ClientTokenCounter, 'countPromptForClient'>;
  readonly prompts: PromptRoom;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** Tokens of the prompt of a request that is not made; the signal of one who left ends it. */
export type CountTokens = (request: CompletionRequest, signal?: AbortSignal) => Promise<number>;

/**
 * One thread counts for clients and for records, one thing at a time, and records go first. A count
 * takes 250 ms at most, so eight accounts whose turn it is have their counts within 2 s. Most take a
 * millisecond: a crowd of them waits its turn rather than to be sent away.
 */
const TURNS = { atOnceMax: 8, waitingMax: 256, waitingPerKeyMax: 32 };
const WAIT_MS_MAX = 5_000;

/**
 * Counts by our own vocabulary, images and files as vendors usually count them, and no thoughts of
 * before, which most vendors leave out. Refuses names as a completion would; a prompt that is too
 * long for the model has a count too.
 */
export function createCountTokens(deps: CountTokensDependencies): CountTokens {
  const inTurn = createTurnsByKey({ clock: deps.clock, ...TURNS });
  const count = async ({ messages, parameters, requestId }: CompletionRequest) => {
    try {
      const said = withoutThoughts(messages);
      return await deps.tokens.countPromptForClient(said, parameters.capabilityMembers);
    } catch (error) {
      deps.logger.warn({ error, requestId }, 'a prompt was not counted');
      const internalMessage = 'the prompt was not counted';
      throw new AppError('SERVICE_UNAVAILABLE', { internalMessage, retryAfterMs: 1000 });
    }
  };
  return async (request, signal) => {
    const query = toRouteQuery(request, deps.tieBreakers.peek, deps.clock.monotonicMs());
    const table = requireTable(deps.routeTable());
    forEachName(request, query, (named) => judgeRoute(table, healthFor(deps, request), named));
    const releasePrompt = deps.prompts.take(request);
    const bounds = { waitMsMax: WAIT_MS_MAX, signal };
    return inTurn(request.caller.accountId, () => count(request), bounds).finally(releasePrompt);
  };
}
