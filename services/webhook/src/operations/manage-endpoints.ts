import { AppError, createId, isId, type Page, pageSize, toPage } from '@tollgate/core';
import { type Idempotency, runIdempotently } from '@tollgate/idempotency';
import { type Endpoint, type EndpointView, viewOf } from '../domain/endpoint';
import {
  type CheckedSettings,
  checkSettings,
  type EndpointSettings,
} from '../domain/endpoint-settings';
import type { DeliveryStore, Wakeup } from '../domain/ports';
import { createSigningSecret, rotateSecrets } from '../domain/signing-secrets';
import {
  type CreateEndpointOptions,
  type Creation,
  createEndpoint,
  type EndpointWithSecret,
} from './create-endpoint';
import { holdDeliveries } from './hold-deliveries';

/** What the endpoint operations work with. */
export interface EndpointOperationsOptions extends CreateEndpointOptions {
  readonly deliveries: DeliveryStore;
  readonly dispatcher: Wakeup;
}

/** An account's commands on its endpoints; an endpoint of another account does not exist. */
export interface EndpointOperations {
  /** The secret is shown this once; it is empty when an earlier creation is replayed. */
  create(
    accountId: string,
    settings: EndpointSettings,
    creation: Creation,
  ): Promise<EndpointWithSecret>;
  list(accountId: string, limit: number, cursor: string): Promise<Page<Endpoint>>;
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

const UPDATE_ATTEMPTS = 5;

/** Creates the operations over their ports. */
export function createEndpointOperations(options: EndpointOperationsOptions): EndpointOperations {
  const { endpoints, deliveries, clock } = options;

  const get = async (accountId: string, endpointId: string): Promise<Endpoint> => {
    const endpoint = isId('webhook', endpointId) ? await endpoints.get(endpointId) : undefined;
    if (endpoint === undefined || endpoint.accountId !== accountId) throw new AppError('NOT_FOUND');
    return endpoint;
  };

  /** Changes an endpoint as it is at that moment; `forgive` lets its failures be forgotten. */
  const change = async (
    accountId: string,
    endpointId: string,
    apply: (present: Endpoint) => Promise<{ readonly next: Endpoint; readonly forgive: boolean }>,
  ): Promise<Endpoint> => {
    for (let attempt = 0; attempt < UPDATE_ATTEMPTS; attempt += 1) {
      const present = await get(accountId, endpointId);
      const { next, forgive } = await apply(present);
      if (await endpoints.replace(next, present.revision, forgive))
        return get(accountId, endpointId);
    }
    throw new AppError('CONFLICT', { publicMessage: 'The endpoint is being changed by others.' });
  };

  return {
    get,
    create: (accountId, settings, creation) =>
      createEndpoint(options, accountId, settings, creation),
    async list(accountId, limit, cursor) {
      if (cursor !== '' && !isId('webhook', cursor)) throw invalidCursor();
      const size = pageSize(limit);
      const found = await endpoints.list(accountId, size + 1, cursor === '' ? undefined : cursor);
      return toPage(found, size, (last) => last.id);
    },
    async update(accountId, endpointId, { settings, operator }) {
      const endpoint = await change(accountId, endpointId, async (present) => {
        const checked = checkSettings(present, settings);
        const moved = checked.url !== present.url;
        if (moved) await options.receiver.checkUrl(checked.url);
        const enabled = checked.status === 'enabled' && present.status !== 'enabled';
        const reaches = reachesOperators(present, checked, { settings, operator });
        return { next: { ...present, ...checked, operator: reaches }, forgive: moved || enabled };
      });
      if (endpoint.status === 'enabled') {
        await deliveries.resume(endpoint.id, clock.now());
        options.dispatcher.wake();
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
        newEffectId: () => createId('event'),
        async effect(lastRotationId) {
          const endpoint = await change(accountId, endpointId, async (present) => {
            const sealed = options.sealer.seal(secret, present.id);
            const secrets = rotateSecrets(present.secrets, sealed, gracePeriodSeconds, clock.now());
            return { next: { ...present, secrets, lastRotationId }, forgive: false };
          });
          return viewOf(endpoint);
        },
        async recall(rotationId) {
          const endpoint = await get(accountId, endpointId);
          return endpoint.lastRotationId === rotationId ? viewOf(endpoint) : undefined;
        },
      });
      return { endpoint: answer, secret: replayed ? '' : secret, replayed };
    },
    async remove(accountId, endpointId) {
      const endpoint = await get(accountId, endpointId);
      // Held ones expire, should a crash keep us from the last line.
      await deliveries.pause(endpoint.id, Number.MAX_SAFE_INTEGER, clock.now());
      if (!(await endpoints.delete(accountId, endpoint.id))) throw new AppError('NOT_FOUND');
      await deliveries.deleteOf(endpoint.id);
    },
  };
}

/**
 * Shared channels' events go where an operator sent them: anybody else who changes the address or
 * the events of such an endpoint takes that right away from it.
 */
function reachesOperators(
  present: Endpoint,
  checked: CheckedSettings,
  change: { readonly settings: EndpointSettings; readonly operator: boolean },
): boolean {
  const { settings, operator } = change;
  if (operator) {
    return present.operator || settings.url !== undefined || settings.events !== undefined;
  }
  const sameEvents = checked.events.join() === present.events.join();
  return present.operator && checked.url === present.url && sameEvents;
}

function invalidCursor(): AppError {
  return new AppError('VALIDATION_ERROR', {
    param: 'cursor',
    publicMessage: 'The cursor is not one that this list gave.',
  });
}
