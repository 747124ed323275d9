import { AppError, nano } from '@tollgate/core';
import type { ServiceHost } from '@tollgate/lifecycle';
import type { routingV1 } from '@tollgate/protos';
import { createRpcServer, definitionOf, type RpcSecurity, type RpcServer } from '@tollgate/rpc';
import { addFakeService } from '@tollgate/testkit';
import type { FakeBilling } from './fake-billing';

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
  const server = createRpcServer({ listen, security, host });
  addFakeService(server, definitionOf('billing'), ['completion'], {
    async acquireLease(request) {
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
        spendingSuspended: acquired.suspended,
      };
    },
    async getSettlements({ leases }) {
      return { settlements: [...(await billing.readWatermarks(leases))] };
    },
    settleUsage: async () => ({ settlements: [] }),
    async keepAnswer({ requestId, answer }) {
      requireAnswersTaken(billing);
      billing.answers.set(requestId, answer);
      return {};
    },
    async dropAnswer({ requestId }) {
      requireAnswersTaken(billing);
      billing.answers.set(requestId, undefined);
      return {};
    },
  });
  return server;
}

/** Routing's gRPC service: sends these to each follower, and keeps what is reported. */
export function createRoutingPeer(
  messages: () => readonly routingV1.WatchRouteTableResponse[],
  reports: routingV1.ChannelOutcome__Output[],
  listen: string,
  security: RpcSecurity,
  host: ServiceHost,
): RpcServer {
  const server = createRpcServer({ listen, security, host });
  addFakeService(server, definitionOf('routing'), ['completion'], {
    async watchRouteTable(_request, call, out) {
      for (const message of messages()) out.write(message);
      await new Promise<void>((resolve) => {
        call.draining.addEventListener('abort', () => resolve(), { once: true });
        call.signal.addEventListener('abort', () => resolve(), { once: true });
      });
    },
    async reportOutcomes({ outcomes }) {
      reports.push(...outcomes);
      return {};
    },
  });
  return server;
}
