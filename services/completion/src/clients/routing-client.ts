import { type CallSummary, type Clock, type Logger, memoize, parseNano } from '@tollgate/core';
import { repeat } from '@tollgate/jobs';
import type { ServiceHost } from '@tollgate/lifecycle';
import type { routingV1 } from '@tollgate/protos';
import {
  createRpcClient,
  definitionOf,
  followStream,
  fromProtoChannelType,
  fromProtoModelKind,
  type RpcSecurity,
  toProtoName,
} from '@tollgate/rpc';
import type { RouteChannel, RouteModel } from '../routing/candidate';
import { createRouteTable, type RouteTable } from '../routing/route-table';

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
      const held = createHeldTable();
      return followStream({
        name: 'route table',
        open() {
          held.forgetParts();
          return client.watchRouteTable({ knownRevision: revision, takesChanges: true });
        },
        onMessage(message) {
          // An earlier version of routing sends whole tables in place of changes.
          if (message.table !== null) {
            revision = message.table.revision;
            onTable(fromProtoRouteTable(message.table));
          }
          if (message.changes === null || !held.apply(message.changes)) return;
          revision = message.revision;
          onTable(held.toTable(revision));
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

export interface ReportingDependencies {
  readonly takeOutcomes: () => readonly CallSummary[];
  readonly routing: Pick<RoutingClient, 'reportOutcomes'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly intervalMs: number;
}

/**
 * Tells routing how the channels do. A report that fails is dropped: the next one is newer, and
 * nothing but health depends on it.
 */
export function startReporting(deps: ReportingDependencies): { stop(): void } {
  const { intervalMs, logger, routing, takeOutcomes } = deps;
  const stopping = new AbortController();
  const run = async () => {
    const outcomes = takeOutcomes();
    try {
      if (outcomes.length > 0) await routing.reportOutcomes(outcomes);
    } catch (error) {
      logger.debug({ error }, 'routing did not take a report');
    }
  };
  const work = { name: 'reports to routing', intervalMs, firstAfterMs: intervalMs, run };
  void repeat(work, deps, stopping.signal);
  return { stop: () => stopping.abort() };
}

/** The table that changes add up to; what comes in parts is in force with the last of them. */
function createHeldTable() {
  let current = createRouteMaps();
  let next: RouteMaps | undefined;
  return {
    /** The stream broke: whatever was not whole comes again. */
    forgetParts() {
      next = undefined;
    },
    /** True when the last part was applied. */
    apply(changes: routingV1.RouteChanges__Output): boolean {
      if (changes.reset) next = createRouteMaps();
      next ??= { channels: new Map(current.channels), models: current.models };
      const changesModels = changes.models.length + changes.removedModels.length > 0;
      if (changesModels && next.models === current.models) next.models = new Map(current.models);
      for (const channel of changes.channels) next.channels.set(channel.id, channel);
      for (const { channelId, health } of changes.health) {
        const channel = next.channels.get(channelId);
        if (channel !== undefined) next.channels.set(channelId, { ...channel, health });
      }
      for (const id of changes.removedChannels) next.channels.delete(id);
      for (const model of changes.models) next.models.set(model.name, model);
      for (const name of changes.removedModels) next.models.delete(name);
      if (changes.more) return false;
      current = next;
      next = undefined;
      return true;
    },
    toTable: (revision: string): RouteTable =>
      createRouteTable(
        BigInt(revision),
        [...current.channels.values()].flatMap(mappedChannel),
        mappedModels(current.models),
      ),
  };
}

interface RouteMaps {
  readonly channels: Map<string, routingV1.RouteChannel__Output>;
  /** Another map when a model changed. */
  models: Map<string, routingV1.Model__Output>;
}

const createRouteMaps = (): RouteMaps => ({ channels: new Map(), models: new Map() });

/** The pushed table, indexed; channels of a type that this version does not know are left out. */
function fromProtoRouteTable(table: routingV1.RouteTable__Output): RouteTable {
  return createRouteTable(
    BigInt(table.revision),
    table.channels.flatMap(fromProtoChannel),
    fromProtoModels(table.models),
  );
}

// Most of a held table stays as it is with a change: that is mapped once.
const mappedChannel = memoize(fromProtoChannel);
const mappedModels = memoize((models: RouteMaps['models']) =>
  fromProtoModels([...models.values()]),
);

function fromProtoModels(models: readonly routingV1.Model__Output[]): readonly RouteModel[] {
  return models.filter((model) => !model.routing).flatMap(fromProtoModel);
}

function fromProtoChannel(channel: routingV1.RouteChannel__Output): readonly RouteChannel[] {
  const type = fromProtoChannelType(channel.type);
  if (type === undefined) return [];
  const { health, timeouts } = channel;
  return [
    {
      id: channel.id,
      name: channel.name,
      type,
      baseUrl: channel.baseUrl,
      credential: channel.credential,
      models: channel.models.map(({ name, upstreamName }) => ({
        name,
        upstreamName,
        healthy: isHealthy(health, name),
      })),
      groups: channel.groups,
      ownerAccountId: channel.ownerAccountId === '' ? null : channel.ownerAccountId,
      priority: channel.priority,
      weight: channel.weight,
      concurrencyMax: channel.maxConcurrency,
      timeouts: {
        connectMs: timeouts?.connectMs ?? 0,
        headMs: timeouts?.headMs ?? 0,
        wholeHeadMs: timeouts?.wholeHeadMs ?? 0,
        firstTokenMs: timeouts?.firstTokenMs ?? 0,
        idleMs: timeouts?.idleMs ?? 0,
        totalMs: timeouts?.totalMs ?? 0,
      },
      capabilities: channel.capabilities,
      firstTokenMs: health?.firstTokenMs ?? null,
    },
  ];
}

/** A model that was called is judged by itself; one that was not, by its channel. */
function isHealthy(health: routingV1.ChannelHealth__Output | null, name: string): boolean {
  const known = health?.models.find(({ model }) => model === name) ?? health;
  return known?.state !== 'HEALTH_STATE_UNHEALTHY';
}

function fromProtoModel(model: routingV1.Model__Output): readonly RouteModel[] {
  const { pricing } = model;
  if (pricing === null) return [];
  return [
    {
      name: model.name,
      kind: fromProtoModelKind(model.kind) ?? 'chat',
      completionTokensMax: model.maxCompletionTokens,
      contextTokensMax: model.contextLength,
      priceVersion: pricing.version,
      currency: pricing.currency,
      unpriced: pricing.source === 'default',
      recovering: model.recovering,
      prices: {
        prompt: parseNano(pricing.prompt),
        completion: parseNano(pricing.completion),
        cachedPrompt: parseNano(pricing.cachedPrompt),
        ...(pricing.cacheWrite === undefined ? {} : { cacheWrite: parseNano(pricing.cacheWrite) }),
      },
    },
  ];
}

function toProtoOutcome(outcome: CallSummary): routingV1.ChannelOutcome {
  const { kind, ...rest } = outcome;
  return { ...rest, kind: toProtoName('OUTCOME_KIND', kind) };
}
