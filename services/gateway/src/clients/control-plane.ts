import type { Clock, Logger } from '@tollgate/core';
import {
  createRpcClient,
  definitionOf,
  followStream,
  type RpcClient,
  type RpcSecurity,
} from '@tollgate/rpc';
import type { Revocation } from '../auth/principal-cache';
import type { GatewayConfig } from '../config';

type ClientOf<Name extends Parameters<typeof definitionOf>[0]> = RpcClient<
  ReturnType<typeof definitionOf<Name>>
>;

export type IdentityClient = ClientOf<'identity'>;
export type BillingClient = ClientOf<'billing'>;
export type RoutingClient = ClientOf<'routing'>;
export type StatsClient = ClientOf<'stats'>;
export type WebhookClient = ClientOf<'webhook'>;

/** The services that the gateway asks. */
export interface ControlPlane {
  readonly identity: IdentityClient;
  readonly billing: BillingClient;
  readonly routing: RoutingClient;
  readonly stats: StatsClient;
  readonly webhook: WebhookClient;
  close(): void;
}

type ServiceToAsk = Exclude<keyof ControlPlane, 'close'>;

/** Clients connect when they are first used. */
export function createControlPlane(
  config: Pick<GatewayConfig, 'controlDeadlineMs' | `${ServiceToAsk}Address`>,
  security: RpcSecurity,
  host: { readonly clock: Clock; readonly logger: Logger },
): ControlPlane {
  const settings = { ownName: 'gateway', security, host } as const;
  const deadlineMs = config.controlDeadlineMs;
  const connect = <Name extends ServiceToAsk>(name: Name): ClientOf<Name> => {
    const address = config[`${name}Address`];
    return createRpcClient(definitionOf(name), { ...settings, deadlineMs, address });
  };
  const plane = {
    identity: connect('identity'),
    billing: connect('billing'),
    routing: connect('routing'),
    stats: connect('stats'),
    webhook: connect('webhook'),
  };
  return {
    ...plane,
    close() {
      for (const client of Object.values(plane)) client.close();
    },
  };
}

/** Hears the changes of the revocation stream, and whether it is connected. */
interface RevocationListener {
  onChanges(revision: bigint, changes: readonly Revocation[], reset: boolean): void;
  onState(connected: boolean): void;
}

const HEARTBEATS_MISSED_MS = 3000;
const BACKOFF = { initialMs: 100, maxMs: 2000 };

/** Follows identity's changes of principals for as long as the gateway runs. */
export function followRevocations(
  identity: IdentityClient,
  listener: RevocationListener,
  host: { readonly clock: Clock; readonly logger: Logger },
): { stop(): void } {
  let applied = 0n;
  return followStream({
    name: 'revocations',
    open: () => identity.watchRevocations({ afterRevision: applied.toString() }),
    onMessage({ revision, changes, reset }) {
      applied = BigInt(revision);
      listener.onChanges(applied, changes, reset);
    },
    onState: listener.onState,
    silenceTimeoutMs: HEARTBEATS_MISSED_MS,
    backoff: BACKOFF,
    clock: host.clock,
    logger: host.logger,
  });
}
