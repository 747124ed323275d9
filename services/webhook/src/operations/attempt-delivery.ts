import type { Clock, Logger, Sealer } from '@tollgate/core';
import {
  type AttemptOutcome,
  type AttemptResult,
  attemptOutcomeOf,
  hasFailedTooLong,
} from '../domain/attempt';
import type { Delivery } from '../domain/delivery';
import type { Endpoint } from '../domain/endpoint';
import type { Claim, DeliveryStore, EndpointStore, Receiver } from '../domain/ports';
import { secretsInForce } from '../domain/signing-secrets';
import { disableEndpoint } from './endpoint-queue';

export interface AttemptDeliveryOptions {
  readonly endpoints: EndpointStore;
  readonly deliveries: DeliveryStore;
  readonly receiver: Receiver;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly disableAfterMs: number;
  /** Numbers in [0, 1) for the jitter of retries. */
  readonly random: () => number;
  readonly onAttempt: (outcome: AttemptOutcome['kind'], durationMs: number) => void;
  readonly onAutoDisabled: () => void;
}

/** One attempt that its maker has claimed. */
export interface ClaimedAttempt {
  readonly delivery: Delivery;
  readonly endpoint: Endpoint;
  readonly claim: Claim;
}

/** How long deliveries wait for an operator who has lost a sealing key. */
const UNSIGNABLE_DELAY_MS = 60_000;

/** Sends one delivery and writes what came of it, unless a newer leader has taken it over. */
export async function attemptDelivery(
  options: AttemptDeliveryOptions,
  { delivery, endpoint, claim }: ClaimedAttempt,
  signal: AbortSignal,
): Promise<void> {
  const { endpoints, deliveries, clock } = options;
  const startedMs = clock.monotonicMs();
  const result = await send(options, delivery, endpoint, signal);
  const outcome = attemptOutcomeOf(result, delivery.attemptsInRound + 1, options.random);
  options.onAttempt(outcome.kind, clock.monotonicMs() - startedMs);
  const atMs = clock.now();
  // Finished deliveries expire: their numbers must be known to be taken before.
  if (endpoint.lastSequence < delivery.sequence) {
    await endpoints.raiseSequence(endpoint.id, delivery.sequence);
  }
  const recorded = await deliveries.record(delivery, claim, { outcome, atMs });
  if (!recorded || outcome.kind === 'postponed') return;
  // A URL that was changed meanwhile has done nothing yet, right or wrong.
  const health = await endpoints.updateHealth(endpoint.id, endpoint.url, {
    succeeded: outcome.kind === 'succeeded',
    statusCode: outcome.statusCode,
    atMs,
  });
  const gone = outcome.kind === 'failed' && outcome.gone;
  const failingSinceMs = health?.failingSinceMs ?? null;
  if (gone || hasFailedTooLong(failingSinceMs, atMs, options.disableAfterMs)) {
    await disableEndpoint(options, endpoint, gone ? 'it answered 410' : 'it failed for too long');
  }
}

async function send(
  { receiver, sealer, clock, logger }: AttemptDeliveryOptions,
  delivery: Delivery,
  endpoint: Endpoint,
  signal: AbortSignal,
): Promise<AttemptResult> {
  let secrets: readonly string[];
  try {
    secrets = secretsInForce(endpoint.secrets, clock.now()).map(({ sealed }) =>
      sealer.open(sealed, endpoint.id),
    );
  } catch (error) {
    logger.error({ endpointId: endpoint.id, error }, 'the signing secret cannot be opened');
    return { kind: 'not_sent', delayMs: UNSIGNABLE_DELAY_MS };
  }
  const { eventId: messageId, body } = delivery;
  return receiver.post({ url: endpoint.url, messageId, body, secrets }, signal);
}
