import type { CallOptions } from '@tollgate/rpc';
import type { CompletionCall } from '../../clients/completion/client';
import type { CompletionPool } from '../../clients/completion/pool';
import type { Services } from '../operation';

/** Whom operations ask, before it is known for which request. */
export interface SharedServices extends Omit<Services, 'completions'> {
  readonly completions: Pick<
    CompletionPool,
    'countTokens' | 'defaultTimeouts' | 'explain' | 'instances' | 'listActive'
  >;
}

/** The services as one request asks them: each call says for which request it is made. */
export function forRequest(
  shared: SharedServices,
  request: Omit<CompletionCall, 'deadlineMs'>,
): Services {
  const { completions } = shared;
  return {
    ...shared,
    identity: withRequest(shared.identity, request),
    billing: withRequest(shared.billing, request),
    routing: withRequest(shared.routing, request),
    stats: withRequest(shared.stats, request),
    webhook: withRequest(shared.webhook, request),
    completions: {
      get instances() {
        return completions.instances;
      },
      countTokens: (input, call) => completions.countTokens(input, { ...request, ...call }),
      defaultTimeouts: (call) => completions.defaultTimeouts({ ...request, ...call }),
      explain: (asked, call) => completions.explain(asked, { ...request, ...call }),
      listActive: (sought, call) => completions.listActive(sought, { ...request, ...call }),
    },
  };
}

function withRequest<Client extends object>(client: Client, request: CallOptions): Client {
  return new Proxy(client, {
    get(target, name) {
      const call: unknown = Reflect.get(target, name);
      if (typeof call !== 'function') return call;
      return (asked: unknown, options?: CallOptions): unknown =>
        Reflect.apply(call, target, [asked, { ...request, ...options }]);
    },
  });
}
