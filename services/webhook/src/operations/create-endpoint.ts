import { AppError, type Clock, createId, type Sealer } from '@tollgate/core';
import { type Endpoint, UNTRIED } from '../domain/endpoint';
import { completeNewSettings, type EndpointSettings } from '../domain/endpoint-settings';
import type { EndpointStore, Idempotency, Receiver } from '../domain/ports';
import { createSigningSecret } from '../domain/signing-secrets';

/** What creating works with. */
export interface CreateEndpointOptions {
  readonly endpoints: EndpointStore;
  readonly receiver: Pick<Receiver, 'checkUrl'>;
  readonly sealer: Sealer;
  readonly clock: Clock;
  /** Endpoints that one account may have. */
  readonly endpointsMax: number;
}

/** Who creates, and how a repetition is recognised. */
export interface Creation {
  readonly operator: boolean;
  readonly idempotency: Idempotency | undefined;
}

/** A new endpoint with its secret, or the one of an earlier request with an empty secret. */
export interface CreatedEndpoint {
  readonly endpoint: Endpoint;
  readonly secret: string;
  readonly replayed: boolean;
}

const IDEMPOTENCY_MS = 24 * 3600 * 1000;

/** Creates an endpoint once for each Idempotency-Key within 24 hours. */
export async function createEndpoint(
  options: CreateEndpointOptions,
  accountId: string,
  settings: EndpointSettings,
  creation: Creation,
): Promise<CreatedEndpoint> {
  const { endpoints, sealer, clock } = options;
  const { idempotency, operator } = creation;
  const before = await replay(options, accountId, idempotency);
  if (before !== undefined) return { endpoint: before, secret: '', replayed: true };
  const checked = completeNewSettings(settings);
  await options.receiver.checkUrl(checked.url);
  if ((await endpoints.count(accountId)) >= options.endpointsMax) {
    throw new AppError('CONFLICT', {
      publicMessage: `An account can have at most ${options.endpointsMax} webhook endpoints.`,
    });
  }
  const id = createId('webhook');
  const secret = createSigningSecret();
  const endpoint: Endpoint = {
    ...checked,
    ...UNTRIED,
    id,
    accountId,
    operator,
    secrets: [{ sealed: sealer.seal(secret, id), expiresAtMs: null }],
    createdAtMs: clock.now(),
    revision: 1,
    lastSequence: 0,
  };
  if (await endpoints.insert(endpoint, idempotency)) return { endpoint, secret, replayed: false };
  // The same request, sent twice at once, was faster.
  const winner = await replay(options, accountId, idempotency);
  if (winner === undefined) throw new AppError('CONFLICT');
  return { endpoint: winner, secret: '', replayed: true };
}

async function replay(
  { endpoints, clock }: CreateEndpointOptions,
  accountId: string,
  idempotency: Idempotency | undefined,
): Promise<Endpoint | undefined> {
  if (idempotency === undefined) return undefined;
  const before = await endpoints.findCreatedBy(accountId, idempotency.key);
  if (before === undefined) return undefined;
  if (clock.now() - before.endpoint.createdAtMs >= IDEMPOTENCY_MS) {
    await endpoints.forgetCreation(before.endpoint.id);
    return undefined;
  }
  if (before.bodyDigest !== idempotency.bodyDigest) throw new AppError('IDEMPOTENCY_MISMATCH');
  return before.endpoint;
}
