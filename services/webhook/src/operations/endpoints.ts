import {
  AppError,
  createId,
  type Idempotency,
  idPageOf,
  isId,
  type Page,
  pageByCursor,
  pageSize,
  type Sealer,
} from '@tollgate/core';
import type { Wakeup } from '@tollgate/jobs';
import { type IdempotencyOptions, retryChange, runIdempotently } from '@tollgate/mongo';
import {
  type Endpoint,
  type EndpointId,
  type EndpointView,
  endpointViewOf,
  NEW_ENDPOINT_HEALTH,
} from '../domain/endpoint';
import {
  type CheckedSettings,
  checkSettings,
  completeNewSettings,
  type EndpointSettings,
} from '../domain/endpoint-settings';
import type { DeliveryStore, EndpointStore, Receiver } from '../domain/ports';
import { createSigningSecret, rotateSecrets } from '../domain/signing-secrets';
import { holdDeliveries } from './endpoint-queue';

export interface EndpointOperationsOptions extends IdempotencyOptions {
  readonly endpoints: EndpointStore;
  readonly deliveries: DeliveryStore;
  readonly wakeup: Pick<Wakeup, 'wake'>;
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

/** What an account does with its endpoints; an endpoint of another account does not exist. */
export interface EndpointOperations {
  /** The secret is shown this once; it is empty when an earlier creation is replayed. */
  create(
    accountId: string,
    settings: EndpointSettings,
    creation: Creation,
  ): Promise<EndpointWithSecret>;
  list(accountId: string, limit: number, cursor: string): Promise<Page<Endpoint>>;
  /** Of every account, for operators: those that are `auto_disabled`. */
  listAutoDisabled(limit: number): Promise<readonly Endpoint[]>;
  get(accountId: string, endpointId: string): Promise<Endpoint>;
  update(
    accountId: string,
    endpointId: string,
    change: { readonly settings: EndpointSettings; readonly operator: boolean },
  ): Promise<Endpoint>;
  /** The secret is shown this once; it is empty when an earlier rotation is replayed. */
  rotateSecret(
    accountId: string,
    endpointId: string,
    gracePeriodSeconds: number,
    idempotency: Idempotency,
  ): Promise<EndpointWithSecret>;
  remove(accountId: string, endpointId: string): Promise<void>;
}

/** Creates the operations over their ports. */
export function createEndpointOperations(options: EndpointOperationsOptions): EndpointOperations {
  const { endpoints, deliveries, clock } = options;

  const get = async (accountId: string, endpointId: string): Promise<Endpoint> => {
    const endpoint = isId('webhook', endpointId) ? await endpoints.find(endpointId) : undefined;
    if (endpoint === undefined || endpoint.accountId !== accountId) throw new AppError('NOT_FOUND');
    return endpoint;
  };

  /** Changes an endpoint as it is at that moment; `forgive` lets its failures be forgotten. */
  const change = (
    accountId: string,
    endpointId: string,
    apply: (present: Endpoint) => Promise<{ readonly next: Endpoint; readonly forgive: boolean }>,
  ): Promise<Endpoint> => {
    const attempt = async () => {
      const present = await get(accountId, endpointId);
      const { next, forgive } = await apply(present);
      const isWritten = await endpoints.update(next, present.revision, forgive);
      return isWritten ? get(accountId, endpointId) : undefined;
    };
    return retryChange('endpoint', attempt);
  };

  return {
    get,
    create: (accountId, settings, creation) =>
      createEndpoint(options, accountId, settings, creation),
    async list(accountId, limit, cursor) {
      const page = idPageOf('webhook', { limit, cursor });
      const found = await endpoints.list(accountId, { ...page, limit: page.limit + 1 });
      return pageByCursor(found, page.limit, (last) => last.id);
    },
    listAutoDisabled: (limit) => endpoints.listAutoDisabled(pageSize(limit)),
    async update(accountId, endpointId, { settings, operator }) {
      const endpoint = await change(accountId, endpointId, async (present) => {
        const checked = checkSettings(present, settings);
        const moved = checked.url !== present.url;
        if (moved) await options.receiver.checkUrl(checked.url, giverOf(operator));
        const enabled = checked.status === 'enabled' && present.status !== 'enabled';
        const next = {
          ...present,
          ...checked,
          operator: getsSharedChannels(present, checked, { settings, operator }),
        };
        return { next, forgive: moved || enabled };
      });
      if (endpoint.status === 'enabled') {
        await deliveries.resume(endpoint.id, clock.now());
        options.wakeup.wake();
      } else {
        await holdDeliveries({ endpoints, deliveries, clock }, endpoint.id);
      }
      return endpoint;
    },
    async rotateSecret(accountId, endpointId, gracePeriodSeconds, idempotency) {
      const secret = createSigningSecret();
      const { answer, replayed } = await runIdempotently<EndpointView, string>(options, {
        scope: accountId,
        operation: `rotate-secret ${endpointId}`,
        idempotency,
        async effect(lastRotationId) {
          const endpoint = await change(accountId, endpointId, async (present) => {
            // Done by another process that took over while this one stood still.
            if (present.lastRotationId === lastRotationId) throw new AppError('CONFLICT');
            const sealed = options.sealer.seal(secret, present.id);
            const secrets = rotateSecrets(present.secrets, sealed, gracePeriodSeconds, clock.now());
            return { next: { ...present, secrets, lastRotationId }, forgive: false };
          });
          return endpointViewOf(endpoint);
        },
        async findEffect(rotationId) {
          const endpoint = await get(accountId, endpointId);
          return endpoint.lastRotationId === rotationId ? endpointViewOf(endpoint) : undefined;
        },
      });
      return { endpoint: answer, secret: replayed ? '' : secret, replayed };
    },
    async remove(accountId, endpointId) {
      const endpoint = await get(accountId, endpointId);
      // Held ones expire, should a crash keep us from the last line.
      await deliveries.pause(endpoint.id, Number.MAX_SAFE_INTEGER, clock.now());
      if (!(await endpoints.remove(accountId, endpoint.id))) throw new AppError('NOT_FOUND');
      await deliveries.removeOf(endpoint.id);
    },
  };
}

/** Creates an endpoint once for each Idempotency-Key within 24 hours. */
async function createEndpoint(
  options: EndpointOperationsOptions,
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
      await options.receiver.checkUrl(checked.url, giverOf(operator));
      secret = createSigningSecret();
      const endpoint: Endpoint = {
        ...checked,
        ...NEW_ENDPOINT_HEALTH,
        id,
        accountId,
        operator,
        secrets: [{ sealed: sealer.seal(secret, id), expiresAtMs: null }],
        createdAtMs: clock.now(),
        revision: 1,
        lastSequence: 0,
      };
      const outcome = await endpoints.insert(endpoint, options.endpointsMax);
      if (outcome === 'inserted') return endpointViewOf(endpoint);
      throw new AppError('CONFLICT', outcome === 'full' ? { publicMessage: tooMany(options) } : {});
    },
    async findEffect(id) {
      const endpoint = await endpoints.find(id);
      return endpoint && endpointViewOf(endpoint);
    },
  });
  return { endpoint: answer, secret: replayed ? '' : secret, replayed };
}

/** A refusal names the setting that would allow the host to operators only. */
function giverOf(operator: boolean): 'operator' | 'customer' {
  return operator ? 'operator' : 'customer';
}

function tooMany({ endpointsMax }: EndpointOperationsOptions): string {
  return `An account can have at most ${endpointsMax} webhook endpoints.`;
}

/**
 * Shared channels' events go where an operator sent them: anybody else who changes the address or
 * the events of such an endpoint takes that right away from it.
 */
function getsSharedChannels(
  present: Endpoint,
  checked: CheckedSettings,
  change: { readonly settings: EndpointSettings; readonly operator: boolean },
): boolean {
  const { settings, operator } = change;
  if (operator) {
    return present.operator || settings.url !== undefined || settings.events !== undefined;
  }
  const sameEvents =
    checked.events.length === present.events.length &&
    checked.events.every((type) => present.events.includes(type));
  return present.operator && checked.url === present.url && sameEvents;
}
