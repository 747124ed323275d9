import type { routingV1 } from '@tollgate/protos';
import { model } from '../fixtures';
import { type ManagementCase, NOW, row } from './management-case';

const channel: routingV1.Channel = {
  id: 'chn_7',
  name: 'first',
  type: 'CHANNEL_TYPE_OPENAI',
  baseUrl: 'https://vendor.example/v1',
  credentialPreview: '...1234',
  models: [{ name: 'small-chat', upstreamName: 'vendor-small' }],
  priority: 0,
  weight: 1,
  status: 'CHANNEL_STATUS_ENABLED',
  autoDisable: true,
  health: { state: 'HEALTH_STATE_HEALTHY', checkedAt: NOW, latencyMs: 12, breaker: 'closed' },
  createdAt: NOW,
  updatedAt: NOW,
};
const catalogue = {
  name: 'small-chat',
  context_length: 8192,
  max_completion_tokens: 1024,
  pricing: { prompt: '1.00', completion: '3.00' },
};
const channelBody = {
  name: 'first',
  type: 'openai',
  base_url: 'https://vendor.example/v1',
  credential: 'placeholder',
  models: [{ name: 'small-chat' }],
};

/** A case for every row whose operation routing does. */
export const ROUTING_CASES: readonly ManagementCase[] = [
  row('GET /v1/llm/models', 'routing.listModels', { answer: { models: [model()] } }),
  row('GET /v1/models', 'routing.listModels', { answer: { models: [model()] } }),
  row('GET /v1/models/{id}', 'routing.listModels', {
    answer: { models: [model()] },
    url: '/v1/models/small-chat',
  }),
  row('GET /v1/admin/channels', 'routing.listChannels', { answer: { channels: [channel] } }),
  row('POST /v1/admin/channels', 'routing.createChannel', {
    answer: { channel },
    body: channelBody,
    asked: { settings: { type: 'CHANNEL_TYPE_OPENAI', credential: 'placeholder' } },
  }),
  row('GET /v1/admin/channels/{id}', 'routing.getChannel', { answer: { channel } }),
  row('PUT /v1/admin/channels/{id}', 'routing.updateChannel', {
    answer: { channel },
    body: { weight: 3, status: 'disabled', owner_account_id: null },
    asked: { settings: { weight: 3, status: 'CHANNEL_STATUS_DISABLED', ownerAccountId: '' } },
  }),
  row('PATCH /v1/admin/channels/{id}', 'routing.updateChannel', {
    answer: { channel },
    body: { weight: 3 },
    asked: { settings: { weight: 3 } },
  }),
  row('DELETE /v1/admin/channels/{id}', 'routing.deleteChannel'),
  row('POST /v1/admin/channels/{id}/health', 'routing.checkChannelHealth', {
    answer: {
      channelId: 'chn_7',
      model: 'small-chat',
      healthy: true,
      latencyMs: 3,
      checkedAt: NOW,
    },
  }),
  row('POST /v1/admin/channels/discover', 'routing.discoverModels', {
    answer: { names: ['vendor-small', 'small-chat'], httpStatus: 200, error: '' },
    body: { type: 'openai', base_url: 'https://vendor.example/v1', credential: 'placeholder' },
    asked: { type: 'CHANNEL_TYPE_OPENAI', baseUrl: 'https://vendor.example/v1' },
  }),
  row('GET /v1/admin/models', 'routing.listModels', { answer: { models: [model()] } }),
  row('GET /v1/admin/models/export', 'routing.listModels', { answer: { models: [model()] } }),
  row('POST /v1/admin/models/import', 'routing.listModels', {
    answer: { models: [model()] },
    body: { models: [catalogue] },
  }),
  row('POST /v1/admin/models', 'routing.putModel', {
    answer: { model: model() },
    body: catalogue,
    asked: {
      create: true,
      model: { pricing: { prompt: '1000000000', cachedPrompt: '1000000000' } },
    },
  }),
  row('PUT /v1/admin/models/{id}', 'routing.putModel', {
    answer: { model: model() },
    url: '/v1/admin/models/small-chat',
    body: catalogue,
    asked: { create: false },
  }),
  row('GET /v1/admin/models/{id}', 'routing.listModels', {
    answer: { models: [model()] },
    url: '/v1/admin/models/small-chat',
  }),
  row('PATCH /v1/admin/models/{id}', 'routing.putModel', {
    answer: { model: model() },
    url: '/v1/admin/models/small-chat',
    body: { pricing: { completion: '2.00' } },
    asked: {
      create: false,
      model: {
        contextLength: 8192,
        pricing: { prompt: '1000000000', completion: '2000000000', cachedPrompt: '500000000' },
      },
    },
  }),
  row('DELETE /v1/admin/models/{id}', 'routing.deleteModel', { asked: { name: 'x7' } }),
];
