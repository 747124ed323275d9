import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseConfig } from '@tollgate/config';
import {
  type Clock,
  createSystemClock,
  type Logger,
  type NumberedRecord,
  silentLogger,
} from '@tollgate/core';
import { createInProcessBus } from '@tollgate/events';
import { createMetrics, type Tracing } from '@tollgate/observability';
import { completionV1, type routingV1 } from '@tollgate/protos';
import { completionDefinition, createRpcClient } from '@tollgate/rpc';
import { completionConfigSchema } from '../config';
import { createCompletionService } from '../service';
import { createFakeBilling } from './fake-billing';
import { createBillingPeer, createRoutingPeer } from './fake-peers';
import { startVendorServer } from './vendor-server';

/** What differs between fixtures. */
export interface CompletionFixtureOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly logger?: Logger;
  readonly clock?: Clock;
  readonly tracing?: Tracing;
  /** Vendors behind channels of falling preference. */
  readonly vendors?: number;
}

const SECRET = 'a secret of a test, long enough to be one';
/** Nano-units per 1M tokens: one and two for each token. */
const PROMPT_PRICE = 1_000_000n;
const COMPLETION_PRICE = 2_000_000n;

/** The real service on real sockets, with vendors over HTTP, and fakes of billing and routing. */
export async function startCompletionFixture(options: CompletionFixtureOptions = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'tg-'));
  const clock = options.clock ?? createSystemClock();
  const logger = options.logger ?? silentLogger;
  const { tracing } = options;
  const host = { clock, logger, metrics: createMetrics(), ...(tracing && { tracing }) };
  const security = { serviceSecret: SECRET, plaintext: false };
  const socket = (name: string) => `unix:${join(directory, `${name}.sock`)}`;
  const vendors = await Promise.all(
    Array.from({ length: options.vendors ?? 1 }, () => startVendorServer()),
  );
  const reports: routingV1.ChannelOutcome__Output[] = [];
  const billing = createFakeBilling();
  billing.setAvailable('acc_1', 1_000_000_000n);
  const changes = () => [
    { revision: '1', changes: createChanges(vendors.map((vendor) => vendor.baseUrl)) },
  ];
  const peers = [
    createBillingPeer(billing, socket('billing'), security, host),
    createRoutingPeer(changes, reports, socket('routing'), security, host),
  ];
  for (const peer of peers) await peer.listen();
  const bus = createInProcessBus({ clock, logger, validate: true, closeTimeoutMs: 100 });
  await bus.subscribe({
    group: 'billing',
    topics: ['tollgate.usage.v1'],
    handle: async (events) => {
      // The topic has no other events here.
      const records = events.map(({ event }) => fromEvent(event.data as never));
      await billing.settleUsage(records);
    },
  });
  const config = parseConfig(completionConfigSchema, {
    COMPLETION_LISTEN: socket('completion'),
    BILLING_ADDRESS: socket('billing'),
    ROUTING_ADDRESS: socket('routing'),
    TOLLGATE_SERVICE_SECRET: SECRET,
    TOLLGATE_DATA_DIR: directory,
    TOLLGATE_EGRESS_ALLOWED_HOSTS: '127.0.0.1',
    TOLLGATE_COMPLETION_SETTLEMENT_POLL_MS: '10',
    TOLLGATE_COMPLETION_PUBLISH_BATCH_MS: '1',
    TOLLGATE_COMPLETION_LEASE_TICK_MS: '10',
    ...options.environment,
  });
  const service = createCompletionService(config, host, { eventBus: bus });
  await service.start();
  const gateway = createRpcClient(completionDefinition, {
    address: socket('completion'),
    ownName: 'gateway',
    security,
    host,
    deadlineMs: 20_000,
  });
  const [vendor] = vendors;
  if (vendor === undefined) throw new Error('a fixture needs a vendor');
  return {
    billing,
    bus,
    directory,
    gateway,
    host,
    reports,
    service,
    vendor,
    vendors,
    /** Ends everything that was begun. */
    async close() {
      gateway.close();
      await service.stop();
      await bus.close();
      for (const peer of peers) await peer.close();
      for (const each of vendors) await each.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The running service and what is around it. */
export type CompletionFixture = Awaited<ReturnType<typeof startCompletionFixture>>;

let requests = 0;

/** A request of account acc_1 for `small`, as the gateway would send it. */
export function exampleInput(
  changes: Partial<Omit<completionV1.CompletionInput, 'parameters'>> & {
    readonly parameters?: Partial<completionV1.Parameters>;
  } = {},
): completionV1.CompletionInput {
  requests += 1;
  const caller = {
    ...completionV1.Caller.decode(EMPTY),
    accountId: 'acc_1',
    keyId: 'key_1',
    userId: 'usr_1',
  };
  const messages = Buffer.from('[{"role":"user","content":"Say hello, please."}]');
  return {
    ...completionV1.CompletionInput.decode(EMPTY),
    requestId: `req_${requests}`,
    caller,
    model: 'small',
    messages,
    messageCount: 1,
    ...changes,
    parameters: { ...completionV1.Parameters.decode(EMPTY), ...changes.parameters },
  };
}

// Decoding nothing gives every member its default.
const EMPTY = Buffer.alloc(0);

const MODEL = {
  maxCompletionTokens: 1000,
  contextLength: 8000,
  pricing: {
    currency: 'USD',
    prompt: PROMPT_PRICE.toString(),
    completion: COMPLETION_PRICE.toString(),
    cachedPrompt: PROMPT_PRICE.toString(),
    version: 1,
  },
  available: true,
};

function createChanges(baseUrls: readonly string[]): routingV1.RouteChanges {
  return {
    reset: true,
    channels: baseUrls.map((baseUrl, index) => ({
      id: `chn_${index + 1}`,
      name: `channel ${index + 1}`,
      type: 'CHANNEL_TYPE_OPENAI',
      baseUrl,
      credential: 'a credential of a test',
      models: [
        { name: 'small', upstreamName: 'vendor-small-2026-01-01' },
        { name: 'vectors', upstreamName: 'vendor-vectors' },
      ],
      groups: [],
      ownerAccountId: '',
      priority: index,
      weight: 1,
      maxConcurrency: 0,
      capabilities: [],
    })),
    models: [
      { ...MODEL, name: 'small' },
      { ...MODEL, name: 'vectors', kind: 'MODEL_KIND_EMBEDDING' },
    ],
  };
}

interface EventRecord {
  readonly account_id: string;
  readonly lease: number;
  readonly number: number;
  readonly kind: 'usage' | 'close';
  readonly amount?: string;
}

// The fake needs place, kind and amount; tests look at the rest in the words of the topic.
function fromEvent(data: EventRecord): NumberedRecord {
  const { account_id: accountId, amount, ...rest } = data;
  return { ...rest, accountId, amount: BigInt(amount ?? '0') } as NumberedRecord;
}
