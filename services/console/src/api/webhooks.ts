import type { UseQueryResult } from '@tanstack/react-query';
import { api } from '../session/session';
import { type ListQuery, useChange, useGet, useList, useSend } from './hooks';
import { liveIn } from './queries';
import type { Delivery, Webhook } from './schemas';

const WEBHOOKS = ['webhooks'] as const;
/** What a deletion touches: the list alone, because asking for the deleted thing fails. */
const LIST = [...WEBHOOKS, 'list'] as const;

export function useWebhooks(): ListQuery<Webhook> {
  return useList(LIST, '/v1/webhooks', {}, { live: true });
}

export function useWebhook(id: string): UseQueryResult<Webhook> {
  return useGet(
    [...WEBHOOKS, 'one', id],
    '/v1/webhooks/{id}',
    { path: { id } },
    { refetchInterval: ({ state }) => liveIn(state) },
  );
}

/** Deliveries, newest first; asked for often, because some are on their way. */
export function useDeliveries(id: string): ListQuery<Delivery> {
  return useList(
    [...WEBHOOKS, 'deliveries', id],
    '/v1/webhooks/{id}/deliveries',
    { path: { id } },
    { live: true, isLog: true },
  );
}

export function useCreateWebhook() {
  return useSend('post', '/v1/webhooks', {}, [WEBHOOKS]);
}

export function useUpdateWebhook(id: string) {
  return useSend('patch', '/v1/webhooks/{id}', { path: { id } }, [WEBHOOKS]);
}

export function useDeleteWebhook(id: string) {
  return useSend('delete', '/v1/webhooks/{id}', { path: { id } }, [LIST]);
}

/** Makes a new secret; the old one signs too for the grace period, in seconds. */
export function useRotateSecret(id: string) {
  return useChange(
    (grace_period_seconds: number) =>
      api.POST('/v1/webhooks/{id}/rotate-secret', {
        params: { path: { id } },
        body: { grace_period_seconds },
      }),
    [WEBHOOKS],
  );
}

export function useTestWebhook(id: string) {
  return useChange(
    () => api.POST('/v1/webhooks/{id}/test', { params: { path: { id } }, body: {} }),
    [WEBHOOKS],
  );
}

export function useRedeliver() {
  return useChange(
    (id: string) =>
      api.POST('/v1/webhooks/deliveries/{id}/redeliver', { params: { path: { id } }, body: {} }),
    [WEBHOOKS],
  );
}
