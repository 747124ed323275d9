import type { ControlPlane } from '../clients/control-plane';
import { createGetModel } from './get-model/handler';
import { createListModels } from './list-models/handler';
import type { Route } from './route';

/** What the handlers of the table need. */
export interface RouteDependencies {
  readonly plane: ControlPlane;
}

/** The table: every path of the API, who may call it, and what answers. */
export function createRouteTable({ plane }: RouteDependencies): readonly Route[] {
  const { routing } = plane;
  const member = { auth: 'any', role: 'member', limiter: 'management' } as const;
  const chat = {
    auth: 'api_key',
    role: 'member',
    scope: 'completions',
    limiter: 'metered',
  } as const;
  const models = { ...member, scope: 'models' } as const;
  return [
    { method: 'POST', path: '/v1/llm/chat/completions', ...chat, serve: { chat: 'envelope' } },
    { method: 'POST', path: '/v1/chat/completions', ...chat, serve: { chat: 'plain' } },
    {
      method: 'GET',
      path: '/v1/llm/models',
      ...models,
      serve: createListModels(routing, 'envelope'),
    },
    { method: 'GET', path: '/v1/models', ...models, serve: createListModels(routing, 'plain') },
    { method: 'GET', path: '/v1/models/{id}', ...models, serve: createGetModel(routing) },
  ];
}

/** Paths that client libraries try and that we do not serve. */
export const UNSUPPORTED_PATHS: Readonly<Record<string, string>> = {
  '/v1/responses': 'This API is not supported. Use POST /v1/chat/completions instead.',
  '/v1/completions': 'This API is not supported. Use POST /v1/chat/completions instead.',
  '/v1/embeddings': 'Embeddings are not supported; POST /v1/chat/completions is.',
};
