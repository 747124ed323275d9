import type { ServiceHost } from '@tollgate/lifecycle';
import { controlPlane, createRpcClient, followStream, type RpcSecurity } from '@tollgate/rpc';
import type { RoutingPort } from '../domain/ports';
import type { RouteTable } from '../domain/route-table';
import { fromProtoRouteTable } from './from-proto';
import { toProtoOutcome } from './to-proto';

/** How routing is reached, and who asks. */
export interface RoutingClientOptions {
  readonly address: string;
  readonly security: RpcSecurity;
  readonly host: ServiceHost;
  readonly deadlineMs: number;
  /** Names this instance in reports. */
  readonly reporter: () => string;
  /** Silence after which the stream is opened anew: several heartbeats. */
  readonly silenceTimeoutMs: number;
}

/** Routing over gRPC. */
export interface RoutingClient extends RoutingPort {
  /** Follows the route table until stopped; the last one stays valid while routing is away. */
  follow(onTable: (table: RouteTable) => void): { stop(): void };
  close(): void;
}

const BACKOFF = { initialMs: 50, maxMs: 2000 };

export function createRoutingClient(options: RoutingClientOptions): RoutingClient {
  const { address, security, host, deadlineMs } = options;
  const client = createRpcClient(controlPlane('routing'), {
    address,
    caller: 'completion',
    security,
    host,
    deadlineMs,
  });
  return {
    follow(onTable) {
      let revision = '0';
      return followStream({
        name: 'route table',
        open: () => client.watchRouteTable({ knownRevision: revision }),
        onMessage(message) {
          if (message.table === null) return;
          revision = message.table.revision;
          onTable(fromProtoRouteTable(message.table));
        },
        silenceTimeoutMs: options.silenceTimeoutMs,
        backoff: BACKOFF,
        clock: host.clock,
        logger: host.logger,
      });
    },
    async reportOutcomes(outcomes) {
      await client.reportOutcomes({
        reporter: options.reporter(),
        outcomes: outcomes.map(toProtoOutcome),
      });
    },
    close: () => client.close(),
  };
}
