import type { CallSummary } from '@tollgate/core';
import type { ServiceHost } from '@tollgate/lifecycle';
import { createRpcClient, definitionOf, followStream, type RpcSecurity } from '@tollgate/rpc';
import type { RouteTable } from '../routing/route-table';
import { createFollowedTable } from './followed-table';
import { toProtoOutcome } from './from-proto';

/** How routing is reached. */
export interface RoutingClientOptions {
  readonly address: string;
  readonly security: RpcSecurity;
  readonly host: ServiceHost;
  readonly deadlineMs: number;
  /** Silence after which the stream is opened anew: several heartbeats. */
  readonly silenceTimeoutMs: number;
}

/** Routing over gRPC. */
export interface RoutingClient {
  /** Follows the route table until stopped; the last one stays valid while routing is away. */
  follow(onTable: (table: RouteTable) => void): { stop(): void };
  reportOutcomes(outcomes: readonly CallSummary[]): Promise<void>;
  close(): void;
}

const BACKOFF = { initialMs: 50, maxMs: 2000 };

export function createRoutingClient(options: RoutingClientOptions): RoutingClient {
  const { address, security, host, deadlineMs } = options;
  const client = createRpcClient(definitionOf('routing'), {
    address,
    ownName: 'completion',
    security,
    host,
    deadlineMs,
  });
  return {
    follow(onTable) {
      let revision = '0';
      const followed = createFollowedTable();
      return followStream({
        name: 'route table',
        open() {
          followed.forgetParts();
          return client.watchRouteTable({ knownRevision: revision, takesChanges: true });
        },
        onMessage(message) {
          if (message.changes === null || !followed.apply(message.changes)) return;
          revision = message.revision;
          onTable(followed.toTable());
        },
        silenceTimeoutMs: options.silenceTimeoutMs,
        backoff: BACKOFF,
        clock: host.clock,
        logger: host.logger,
      });
    },
    async reportOutcomes(outcomes) {
      await client.reportOutcomes({ outcomes: outcomes.map(toProtoOutcome) });
    },
    close: () => client.close(),
  };
}
