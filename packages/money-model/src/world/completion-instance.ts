import {
  type BillingPort,
  type CompletionRequest,
  createAbandonedWork,
  createActiveRuns,
  createPromptRoom,
  createRetryBudget,
  createRouteTable,
  createTieBreakers,
  createUnreadMetrics,
  LeaseManager,
  type LeaseRules,
  leaseRules,
  type RecallDependencies,
  type RouteTable,
  type RunDependencies,
  recoverSpool,
  Spool,
  spoolRules,
  UsagePublication,
  type UsagePublisherPort,
  type VendorPort,
} from '@tollgate/completion/model-api';
import { silentLogger } from '@tollgate/core';
import type { PlantedBug } from '../check/planted-bug';
import type { CompletionSettings } from '../workload/profile';
import {
  BYTES_PER_TOKEN,
  COMPLETION_TOKENS_MAX,
  countPrompt,
  DEAR_PRICES,
  OWNER_OF_A_CHANNEL,
  PRICES,
} from '../workload/workload';
import type { Process } from './process';
import type { SimulatedDisk } from './simulated-disk';

/** One running instance of completion. */
export interface CompletionInstance {
  readonly process: Process;
  readonly spool: Spool;
  readonly leases: LeaseManager;
  readonly publication: UsagePublication;
  readonly dependencies: RunDependencies;
  readonly recall: RecallDependencies;
  /** A request as the instance reads it. */
  readonly hear: (request: CompletionRequest) => CompletionRequest;
  /** It has recovered its spool and takes requests. */
  isReady(): boolean;
}

export interface CompletionDependencies {
  readonly process: Process;
  readonly disk: SimulatedDisk;
  readonly settings: CompletionSettings;
  readonly bug: PlantedBug;
  readonly createNonce: () => string;
  readonly billing: (spool: Spool) => BillingPort;
  readonly publisher: UsagePublisherPort;
  readonly vendors: VendorPort;
  readonly random: () => number;
  /** Sees every decision about a lease. */
  readonly watchRules: (rules: LeaseRules) => LeaseRules;
  /** The file did not say what it should: with the disks of the model that is a bug. */
  readonly onDamage: (places: number) => void;
  /** It could not start, or its spool is poisoned: somebody has to restart it. */
  readonly onBroken: () => void;
}

function createTable(): RouteTable {
  const channel = (id: string, ownerAccountId: string | null, models = ['small']) => ({
    id,
    name: id,
    type: 'openai' as const,
    baseUrl: 'http://vendor.invalid',
    credential: '',
    models: models.map((name) => ({ name, upstreamName: name, healthy: true })),
    groups: [],
    ownerAccountId,
    priority: 1,
    weight: 1,
    concurrencyMax: 0,
    timeouts: { connectMs: 0, headMs: 0, wholeHeadMs: 0, firstTokenMs: 0, idleMs: 0, totalMs: 0 },
    capabilities: [],
    firstTokenMs: null,
  });
  const channels = [
    channel('chn_1', null, ['small', 'vectors']),
    channel('chn_2', null, ['small', 'large', 'vectors']),
    channel('chn_own', OWNER_OF_A_CHANNEL),
  ];
  const model = {
    name: 'small',
    kind: 'chat' as const,
    completionTokensMax: COMPLETION_TOKENS_MAX,
    contextTokensMax: 0,
    vendorTokensMax: 0,
    prices: PRICES,
    priceVersion: 1,
  };
  const dear = { ...model, name: 'large', prices: DEAR_PRICES };
  const vectors = { ...model, name: 'vectors', kind: 'embedding' as const };
  return createRouteTable(channels, [model, dear, vectors]);
}

/** More than a schedule has requests: none is refused once it has reserved, see `LeaseObservations`. */
const RUNS_MAX = 64;
/** More than their prompts need. */
const PROMPT_BYTES_MAX = 1 << 26;

const TABLE = createTable();
const METRICS = createUnreadMetrics();

/** Starts an instance on the disk; it is ready once its spool is recovered. */
export function createCompletionInstance(deps: CompletionDependencies): CompletionInstance {
  const { process, bug, settings } = deps;
  const { clock } = process;
  const logger = silentLogger;
  const metrics = METRICS;
  const spool = new Spool({
    disk: deps.disk.portFor(process),
    clock,
    logger,
    bounds: settings.spool,
    rules: bug.spoolRules?.(spoolRules) ?? spoolRules,
  });
  const usageSpool = bug.usageSpool?.(spool, process) ?? spool;
  const billing = deps.billing(spool);
  const leases = new LeaseManager({
    billing: bug.heardBilling?.(billing) ?? billing,
    spool: usageSpool,
    clock,
    logger,
    bounds: settings.leases,
    createNonce: bug.createNonce?.(deps.createNonce) ?? deps.createNonce,
    rules: deps.watchRules(bug.leaseRules?.(leaseRules) ?? leaseRules),
  });
  const publication = new UsagePublication({
    spool,
    billing,
    clock,
    logger,
    metrics,
    bounds: settings.publication,
    publisher: bug.publisher?.(deps.publisher, spool) ?? deps.publisher,
  });
  const runs = createActiveRuns(RUNS_MAX);
  spool.onPoisoned(() => {
    runs.stopAll('poisoned');
    deps.onBroken();
  });
  let ready = false;
  const start = async (): Promise<void> => {
    const report = await spool.open();
    if (report.damagedPlaces > 0) deps.onDamage(report.damagedPlaces);
    const { signal } = new AbortController();
    await recoverSpool({ spool, billing, clock, logger, metrics }, report, signal);
    leases.start();
    publication.start();
    ready = true;
  };
  start().catch(() => deps.onBroken());
  return {
    process,
    spool,
    leases,
    publication,
    dependencies: {
      vendors: deps.vendors,
      spool: usageSpool,
      runs,
      prompts: createPromptRoom(PROMPT_BYTES_MAX),
      clock,
      logger,
      metrics,
      leases: bug.runLeases?.(leases, process) ?? leases,
      routeTable: () => TABLE,
      tokens: {
        countAnswer: (texts) => Promise.resolve(texts.join('').length / BYTES_PER_TOKEN),
        countPrompt: (messages, members) => Promise.resolve(countPrompt(messages, members)),
      },
      bounds: settings.run,
      random: deps.random,
      tieBreakers: createTieBreakers(deps.random),
      retries: createRetryBudget(clock),
      abandoned: createAbandonedWork(clock),
    },
    recall: { leases, spool: usageSpool, billing },
    hear: bug.request ?? ((request) => request),
    isReady: () => ready && process.alive,
  };
}
