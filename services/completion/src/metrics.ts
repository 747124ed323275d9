import type { UsageOutcome } from '@tollgate/core';
import type { Metrics } from '@tollgate/observability';
import type { RouteChannel, RouteModel } from './routing/candidate';
import type { UsageSpool } from './spool/spool';

/** Every metric of this service. */
export type CompletionMetrics = ReturnType<typeof createCompletionMetrics>;

const LATENCY_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** Declares the metrics once, when the service is composed. */
export function createCompletionMetrics(metrics: Metrics) {
  return {
    requests: metrics.counter<'reason' | 'source'>({
      name: 'tollgate_completion_requests_total',
      help: 'Accepted requests by why they ended and where their token counts come from.',
      labels: ['reason', 'source'],
    }),
    refusals: metrics.counter<'code'>({
      name: 'tollgate_completion_refusals_total',
      help: 'Requests that were refused before anything was spent, by error code.',
      labels: ['code'],
    }),
    duration: metrics.histogram({
      name: 'tollgate_completion_request_duration_seconds',
      help: 'From the arrival of a request to its durable end.',
      buckets: LATENCY_SECONDS,
    }),
    firstToken: metrics.histogram({
      name: 'tollgate_completion_first_token_seconds',
      help: 'From the arrival of a streamed request to its first text.',
      buckets: LATENCY_SECONDS,
    }),
    tokens: createTokenCounter(metrics),
    ...createVendorMetrics(metrics),
    leaseAcquires: metrics.counter<'result'>({
      name: 'tollgate_completion_lease_acquires_total',
      help: 'Leases asked of billing, renewals included, by result: granted, refused or failed.',
      labels: ['result'],
    }),
    publishedRecords: metrics.counter<'path'>({
      name: 'tollgate_completion_published_records_total',
      help: 'Usage records handed over, by the bus or directly to billing; what is late counts again.',
      labels: ['path'],
    }),
    republishedRecords: metrics.counter({
      name: 'tollgate_completion_republished_records_total',
      help: 'Usage records handed over again because they were not settled in time.',
    }),
    spoolTornBytes: metrics.counter({
      name: 'tollgate_completion_spool_torn_bytes_total',
      help: 'Bytes cut from the end of the spool at a start: the trace of a crash.',
    }),
    spoolDamage: metrics.counter({
      name: 'tollgate_completion_spool_damage_total',
      help: 'Broken places found in the spool at a start.',
    }),
  };
}

/** Counts a request that has ended. */
export function countEnd(
  { duration, requests, tokens }: Pick<CompletionMetrics, 'duration' | 'requests' | 'tokens'>,
  { name }: Pick<RouteModel, 'name'>,
  outcome: Pick<
    UsageOutcome,
    'completionTokens' | 'latencyMs' | 'promptTokens' | 'reason' | 'source'
  >,
): void {
  requests.inc({ reason: outcome.reason, source: outcome.source });
  duration.observe(outcome.latencyMs / 1000);
  tokens(name, outcome.promptTokens, outcome.completionTokens);
}

/** Counts the tokens of an answer by the catalogue's name of its model, which operators give. */
function createTokenCounter(metrics: Metrics) {
  const counter = metrics.counter<'model' | 'kind'>({
    name: 'tollgate_completion_tokens_total',
    help: 'Tokens of ended requests, by model and kind: of the prompt, or of the completion.',
    labels: ['model', 'kind'],
  });
  const bind = (model: string) => ({
    prompt: counter.child({ model, kind: 'prompt' }),
    completion: counter.child({ model, kind: 'completion' }),
  });
  const labelOf = createLabels();
  const byLabel = new Map<string, ReturnType<typeof bind>>();
  return (model: string, promptTokens: number, completionTokens: number): void => {
    const label = labelOf(model);
    const tokens = byLabel.get(label) ?? bind(label);
    byLabel.set(label, tokens);
    tokens.prompt.inc(promptTokens);
    tokens.completion.inc(completionTokens);
  };
}

/** What vendors do, most of it by channel. */
function createVendorMetrics(metrics: Metrics) {
  return {
    vendorCalls: metrics.counter<'channel' | 'outcome'>({
      name: 'tollgate_completion_vendor_calls_total',
      help: 'Calls of vendors by channel and outcome.',
      labels: ['channel', 'outcome'],
    }),
    vendorFirstToken: metrics.histogram<'channel'>({
      name: 'tollgate_completion_vendor_first_token_seconds',
      help: 'From the call of a vendor to the first event of its stream, by channel.',
      labels: ['channel'],
      buckets: LATENCY_SECONDS,
    }),
    chargedByChannel: metrics.counter<'channel'>({
      name: 'tollgate_completion_vendor_charged_units_total',
      help: 'What answers cost their clients, by channel, in units of the currency.',
      labels: ['channel'],
    }),
    vendorOverruns: metrics.counter<'channel'>({
      name: 'tollgate_completion_vendor_overruns_total',
      help: 'Answers that were cut because their vendor went on past max_tokens, by channel.',
      labels: ['channel'],
    }),
    vendorCrowded: metrics.counter<'channel' | 'result'>({
      name: 'tollgate_completion_vendor_crowded_total',
      help: 'Calls of vendors whose account had all connections that it may have, by channel and result: waiting for one, or refused because too many wait.',
      labels: ['channel', 'result'],
    }),
    channelLabel: createChannelLabels(),
    vendorAbsorbed: metrics.counter<'cause'>({
      name: 'tollgate_completion_vendor_absorbed_units_total',
      help: 'Vendor cost that no client is charged for, in units of the currency, by cause: the end reason of an answer that nobody got (client_gone is partly estimated); other_call: calls beside an answer that was delivered; unseen_thoughts (estimated): thoughts of an answer that its client left; uncounted_media (estimated): images and files of one, beyond what is charged for them.',
      labels: ['cause'],
    }),
  };
}

/** Names whose figures stand by themselves; those that come later share a label. */
const LABELS_MAX = 100;

/** The label of a name: the name itself, or one for all that are beyond the bound. */
function createLabels(): (name: string) => string {
  const names = new Set<string>();
  return (name) => {
    if (names.has(name)) return name;
    if (names.size >= LABELS_MAX) return 'another';
    names.add(name);
    return name;
  };
}

/**
 * The label of a channel: its name, as the operator gave it. Channels of accounts are one, because
 * their names are texts of clients, and so are those beyond the bound.
 */
function createChannelLabels(): (channel: Pick<RouteChannel, 'name' | 'ownerAccountId'>) => string {
  const labelOf = createLabels();
  return ({ name, ownerAccountId }) => (ownerAccountId === null ? labelOf(name) : 'of an account');
}

/** Gauges that are sampled when someone looks. */
export function observeSpool(
  metrics: Metrics,
  spool: Pick<UsageSpool, 'openLeaseCount' | 'openRequestCount' | 'unsettledCount' | 'utilisation'>,
): void {
  metrics.gauge({
    name: 'tollgate_completion_spool_utilisation_ratio',
    help: 'Used share of the spool; above 0.8 new work is refused.',
    collect: () => spool.utilisation,
  });
  metrics.gauge({
    name: 'tollgate_completion_spool_unsettled_records',
    help: 'Records that billing has not reported as settled.',
    collect: () => spool.unsettledCount,
  });
  metrics.gauge({
    name: 'tollgate_completion_open_leases',
    help: 'Leases without a CLOSE record.',
    collect: () => spool.openLeaseCount,
  });
  metrics.gauge({
    name: 'tollgate_completion_running_requests',
    help: 'Requests that were begun and not ended.',
    collect: () => spool.openRequestCount,
  });
}

/** What failures keep from being called. */
export function observeBreakers(
  metrics: Metrics,
  monitor: { readonly openBreakerCount: number },
): void {
  metrics.gauge({
    name: 'tollgate_completion_breakers_open',
    help: 'Models of channels that are left alone, or asked last, because their calls fail.',
    collect: () => monitor.openBreakerCount,
  });
}

interface HeldBytesOf {
  readonly heldBytes: number;
}

/** Bytes that vendors sent and nobody took yet. */
export function observeAnswerRooms(
  metrics: Metrics,
  { answers, lines }: { readonly answers: HeldBytesOf; readonly lines: HeldBytesOf },
): void {
  metrics.gauge({
    name: 'tollgate_completion_held_answer_bytes',
    help: 'Bytes of vendor answers that are held; at TOLLGATE_COMPLETION_HELD_BYTES_MAX the longest fail.',
    collect: () => answers.heldBytes,
  });
  metrics.gauge({
    name: 'tollgate_completion_held_line_bytes',
    help: 'Bytes of incomplete lines of vendor streams; at TOLLGATE_COMPLETION_HELD_LINE_BYTES_MAX the longest fail.',
    collect: () => lines.heldBytes,
  });
}
