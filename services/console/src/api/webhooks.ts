import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { api } from '../session/session';
import { historyQuery, type ListQuery, pageQuery, unwrap, useChange, useList } from './queries';
import type { Delivery, NewWebhook, Webhook, WebhookChanges } from './schemas';

const WEBHOOKS = ['webhooks'] as const;
/** What a deletion touches: the list alone, because asking for the deleted thing fails. */
const LIST = [...WEBHOOKS, 'list'] as const;

export function useWebhooks(): ListQuery<Webhook> {
  return useList({
    key: LIST,
    live: true,
    load: (cursor) => api.GET('/v1/webhooks', { params: { query: pageQuery(cursor) } }),
  });
}

export function useWebhook(id: string): UseQueryResult<Webhook> {
  return useQuery({
    queryKey: [...WEBHOOKS, 'one', id],
    queryFn: () => unwrap(api.GET('/v1/webhooks/{id}', { params: { path: { id } } })),
  });
}

/** Deliveries, newest first; asked for often, because some are on their way. */
export function useDeliveries(id: string): ListQuery<Delivery> {
  return useList({
    key: [...WEBHOOKS, 'deliveries', id],
    live: true,
    load: (cursor) =>
      api.GET('/v1/webhooks/{id}/deliveries', {
        params: { path: { id }, query: historyQuery(cursor) },
      }),
  });
}

export function useCreateWebhook() {
  return useChange((body: NewWebhook) => api.POST('/v1/webhooks', { body }), [WEBHOOKS]);
}

export function useUpdateWebhook(id: string) {
  return useChange(
    (body: WebhookChanges) => api.PATCH('/v1/webhooks/{id}', { params: { path: { id } }, body }),
    [WEBHOOKS],
  );
}

export function useDeleteWebhook(id: string) {
  return useChange(() => api.DELETE('/v1/webhooks/{id}', { params: { path: { id } } }), [LIST]);
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
