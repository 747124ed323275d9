import { lookup } from 'node:dns/promises';
import type { Clock, Logger } from '@tollgate/core';
import { completionDefinition, createRpcClient, type RpcSecurity } from '@tollgate/rpc';
import type { ByteBound } from '../../bounds/byte-bound';
import type { GatewayConfig } from '../../config';
import { createInstanceClient } from './instance';
import { type CompletionPool, createCompletionPool } from './pool';

/** The completion instances of the configuration; nothing is looked up before `start`. */
export function connectCompletions(
  config: GatewayConfig,
  host: { readonly clock: Clock; readonly logger: Logger },
  security: RpcSecurity,
  unreadBytes: ByteBound,
): CompletionPool {
  return createCompletionPool({
    resolve: () => resolveInstances(config.completionAddress),
    connect: (address) => {
      const rpc = createRpcClient(completionDefinition, {
        address,
        ownName: 'gateway',
        security,
        host,
        deadlineMs: config.completionDeadlineMs,
        silenceMs: config.completionSilenceMs,
      });
      return createInstanceClient({
        rpc,
        clock: host.clock,
        logger: host.logger.child({ completion: address }),
        connectTimeoutMs: config.completionConnectMs,
        queueBytesMax: config.completionQueueBytesMax,
        heldBytesMax: config.completionHeldBytesMax,
        unreadBytes,
      });
    },
    resolveIntervalMs: config.completionResolveMs,
    inFlightMax: config.completionInFlightMax,
    clock: host.clock,
    logger: host.logger,
  });
}

const DNS = /^dns:\/\/\/(.+):(\d+)$/;

/**
 * The addresses behind a configured one: `dns:///name:port` gives every address that the name has
 * now, anything else is one instance as it stands. Rejects when the name does not resolve.
 */
async function resolveInstances(address: string): Promise<readonly string[]> {
  const match = DNS.exec(address);
  if (match === null) return [address];
  const [, host = '', port] = match;
  const ips = await lookup(host, { all: true });
  return ips
    .map(({ address: ip, family }) => (family === 6 ? `[${ip}]:${port}` : `${ip}:${port}`))
    .sort();
}
