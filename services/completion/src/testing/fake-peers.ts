import { AppError, nano } from '@tollgate/core';
import type { ServiceHost } from '@tollgate/lifecycle';
import type { billingV1, routingV1 } from '@tollgate/protos';
import { controlPlane, createRpcServer, type RpcSecurity, type RpcServer } from '@tollgate/rpc';
import type { LeaseWatermark } from '../usage/record';
import type { FakeBilling } from './fake-billing';

type Handler = (request: never, ...rest: never[]) => Promise<unknown>;

/** A control-plane server of which only some methods answer. */
function serve(
  name: 'billing' | 'routing',
  listen: string,
  security: RpcSecurity,
  host: ServiceHost,
  handlers: Readonly<Record<string, Handler>>,
): RpcServer {
  const server = createRpcServer({ listen, security, host });
  const missing = async () => {
    throw new AppError('INTERNAL_ERROR', { internalMessage: 'not part of this test' });
  };
  const shape = controlPlane(name);
  const names = Object.keys(shape).map((key) => key.charAt(0).toLowerCase() + key.slice(1));
  const policy = Object.fromEntries(names.map((method) => [method, ['completion']]));
  const all = Object.fromEntries(names.map((method) => [method, handlers[method] ?? missing]));
  // The name may be either service's: the types of both cannot hold at once.
  server.addService(shape, policy as never, all as never);
  return server;
}

function requireAnswersTaken(billing: FakeBilling): void {
  if (billing.answersFail === 0) return;
  billing.answersFail -= 1;
  throw new AppError('SERVICE_UNAVAILABLE');
}

/** The fake billing behind its gRPC service. */
export function createBillingPeer(
  billing: FakeBilling,
  listen: string,
  security: RpcSecurity,
  host: ServiceHost,
): RpcServer {
  const toSettlements = (settlements: readonly LeaseWatermark[]) => ({ settlements });
  return serve('billing', listen, security, host, {
    async acquireLease(request: billingV1.AcquireLeaseRequest__Output) {
      const { accountId, nonce } = request;
      const amounts = {
        amount: nano(BigInt(request.amount)),
        minimum: nano(BigInt(request.minimum)),
      };
      const asked = { accountId, nonce, ...amounts, budget: undefined };
      const acquired = await billing.acquireLease(asked);
      return {
        ...acquired,
        remaining: acquired.remaining.toString(),
        available: acquired.available.toString(),
      };
    },
    getSettlements: async (request: billingV1.GetSettlementsRequest__Output) =>
      toSettlements(await billing.readWatermarks(request.leases)),
    settleUsage: async () => toSettlements([]),
    async keepAnswer({ requestId, answer }: billingV1.KeepAnswerRequest__Output) {
      requireAnswersTaken(billing);
      billing.answers.set(requestId, answer);
      return {};
    },
    async dropAnswer({ requestId }: billingV1.DropAnswerRequest__Output) {
      requireAnswersTaken(billing);
      billing.answers.set(requestId, undefined);
      return {};
    },
  });
}

/** Routing's gRPC service: sends these to each follower, and keeps what is reported. */
export function createRoutingPeer(
  messages: () => readonly routingV1.WatchRouteTableResponse[],
  reports: routingV1.ChannelOutcome__Output[],
  listen: string,
  security: RpcSecurity,
  host: ServiceHost,
): RpcServer {
  return serve('routing', listen, security, host, {
    async watchRouteTable(
      _request: never,
      call: { readonly draining: AbortSignal; readonly signal: AbortSignal },
      out: { write(message: unknown): boolean },
    ) {
      for (const message of messages()) out.write(message);
      await new Promise<void>((resolve) => {
        call.draining.addEventListener('abort', () => resolve(), { once: true });
        call.signal.addEventListener('abort', () => resolve(), { once: true });
      });
    },
    async reportOutcomes({ outcomes }: routingV1.ReportOutcomesRequest__Output) {
      reports.push(...outcomes);
      return {};
    },
    // Each handler has the types of its own messages.
  } as Record<string, Handler>);
}
