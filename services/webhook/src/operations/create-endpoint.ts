import { AppError, createId, type Sealer } from '@tollgate/core';
import { type Idempotency, type IdempotencyOptions, runIdempotently } from '@tollgate/idempotency';
import {
  type Endpoint,
  type EndpointId,
  type EndpointView,
  UNTRIED,
  viewOf,
} from '../domain/endpoint';
import { completeNewSettings, type EndpointSettings } from '../domain/endpoint-settings';
import type { EndpointStore, Receiver } from '../domain/ports';
import { createSigningSecret } from '../domain/signing-secrets';

/** What creating works with. */
export interface CreateEndpointOptions extends IdempotencyOptions {
  readonly endpoints: EndpointStore;
  readonly receiver: Pick<Receiver, 'checkUrl'>;
  readonly sealer: Sealer;
  /** Endpoints that one account may have. */
  readonly endpointsMax: number;
}

/** Who creates, and how a repetition is recognised. */
export interface Creation {
  readonly operator: boolean;
  readonly idempotency: Idempotency;
}

/** An endpoint with its new secret, or the answer to an earlier request with an empty secret. */
export interface EndpointWithSecret {
  readonly endpoint: EndpointView;
  readonly secret: string;
  readonly replayed: boolean;
}

/** Creates an endpoint once for each Idempotency-Key within 24 hours. */
export async function createEndpoint(
  options: CreateEndpointOptions,
  accountId: string,
  settings: EndpointSettings,
  { operator, idempotency }: Creation,
): Promise<EndpointWithSecret> {
  const { endpoints, sealer, clock } = options;
  let secret = '';
  const { answer, replayed } = await runIdempotently<EndpointView, EndpointId>(options, {
    scope: accountId,
    operation: 'create-endpoint',
    idempotency,
    newEffectId: () => createId('webhook'),
    async effect(id) {
      const checked = completeNewSettings(settings);
      await options.receiver.checkUrl(checked.url);
      secret = createSigningSecret();
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
      const outcome = await endpoints.insert(endpoint, options.endpointsMax);
      if (outcome === 'inserted') return viewOf(endpoint);
      throw new AppError('CONFLICT', outcome === 'full' ? { publicMessage: tooMany(options) } : {});
    },
    async recall(id) {
      const endpoint = await endpoints.get(id);
      return endpoint && viewOf(endpoint);
    },
  });
  return { endpoint: answer, secret: replayed ? '' : secret, replayed };
}

function tooMany({ endpointsMax }: CreateEndpointOptions): string {
  return `An account can have at most ${endpointsMax} webhook endpoints.`;
}
