import type { webhookV1 } from '@tollgate/protos';
import { type ManagementCase, NOW, row } from './management-case';

const endpoint: webhookV1.Endpoint = {
  id: 'whk_7',
  url: 'https://receiver.example/hook',
  events: ['balance.low'],
  status: 'ENDPOINT_STATUS_ENABLED',
  createdAt: NOW,
};
const delivery: webhookV1.Delivery = {
  id: 'dlv_7',
  endpointId: 'whk_7',
  eventId: 'evt_7',
  eventType: 'balance.low',
  sequence: '3',
  status: 'DELIVERY_STATUS_SUCCEEDED',
  attempts: 1,
  createdAt: NOW,
};

/** A case for every row whose operation webhook does. */
export const WEBHOOK_CASES: readonly ManagementCase[] = [
  row('GET /v1/webhooks', 'webhook.listEndpoints', { answer: { endpoints: [endpoint] } }),
  row('POST /v1/webhooks', 'webhook.createEndpoint', {
    answer: { endpoint, secret: 'shown once' },
    body: { url: 'https://receiver.example/hook', events: ['balance.low'] },
    asked: { operator: true, events: ['balance.low'] },
  }),
  row('GET /v1/webhooks/{id}', 'webhook.getEndpoint', { answer: { endpoint } }),
  row('PATCH /v1/webhooks/{id}', 'webhook.updateEndpoint', {
    answer: { endpoint },
    body: { status: 'enabled' },
    asked: { status: 'ENDPOINT_STATUS_ENABLED' },
  }),
  row('PUT /v1/webhooks/{id}', 'webhook.updateEndpoint', {
    answer: { endpoint },
    body: { url: 'https://receiver.example/hook', events: ['balance.low'] },
    asked: { status: 'ENDPOINT_STATUS_ENABLED', description: '' },
  }),
  row('DELETE /v1/webhooks/{id}', 'webhook.deleteEndpoint'),
  row('POST /v1/webhooks/{id}/rotate-secret', 'webhook.rotateSecret', {
    answer: { endpoint, secret: 's' },
  }),
  row('POST /v1/webhooks/{id}/test', 'webhook.sendTest', { answer: { delivery } }),
  row('GET /v1/webhooks/{id}/deliveries', 'webhook.listDeliveries', {
    answer: { deliveries: [delivery] },
  }),
  row('POST /v1/webhooks/deliveries/{id}/redeliver', 'webhook.redeliver', { answer: { delivery } }),
];
