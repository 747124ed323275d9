import { type ConfigOf, defineConfig, flag, integer, shared, text } from '@tollgate/config';

const MEGABYTE = 1024 * 1024;

/** Everything that completion reads from its environment. */
export const completionConfigSchema = defineConfig({
  listen: shared.listen('completion'),
  billingAddress: shared.address('billing'),
  routingAddress: shared.address('routing'),
  ...shared.kafka,
  dataDirectory: shared.dataDirectory,
  egressAllowedHosts: shared.egressAllowedHosts,
  ...shared.rpcSecurity,
  advertisedAddress: text('TOLLGATE_COMPLETION_ADVERTISED_ADDRESS', {
    optional: true,
    description: 'Where billing reaches this instance; host name and port when absent.',
  }),
  spoolDirectory: text('TOLLGATE_COMPLETION_SPOOL_DIR', {
    optional: true,
    description: 'Directory of the usage spool; "spool" in the data directory when absent.',
  }),
  spoolBytesMax: integer('TOLLGATE_COMPLETION_SPOOL_BYTES_MAX', {
    default: 256 * MEGABYTE,
    min: MEGABYTE,
    max: 4096 * MEGABYTE,
    description: 'What the spool may take on disk; new work stops at four fifths of it.',
  }),
  spoolSegmentBytes: integer('TOLLGATE_COMPLETION_SPOOL_SEGMENT_BYTES', {
    default: 4 * MEGABYTE,
    min: 64 * 1024,
    max: 256 * MEGABYTE,
    description: 'Size at which the spool goes on in a new file.',
  }),
  checkpointMs: integer('TOLLGATE_COMPLETION_CHECKPOINT_MS', {
    default: 250,
    min: 10,
    max: 60_000,
    description: 'How often a running stream notes what was delivered.',
  }),
  checkpointTokens: integer('TOLLGATE_COMPLETION_CHECKPOINT_TOKENS', {
    default: 64,
    min: 1,
    max: 10_000,
    unit: 'tokens',
    description: 'After how many delivered tokens a running stream notes them.',
  }),
  requestsMax: integer('TOLLGATE_COMPLETION_REQUESTS_MAX', {
    default: 10_000,
    min: 1,
    max: 1_000_000,
    description: 'Requests that may run at once.',
  }),
  attemptsMax: integer('TOLLGATE_COMPLETION_ATTEMPTS_MAX', {
    default: 3,
    min: 1,
    max: 10,
    description: 'Vendor calls for one request before its first byte.',
  }),
  hedgeStreams: flag('TOLLGATE_COMPLETION_HEDGE_STREAMS', {
    default: false,
    description:
      'Whether a stream whose first token comes later than 95 of 100 do at its channel is asked of another one as well; the sooner one answers and is charged, the other one is yours to pay.',
  }),
  connectTimeoutMs: integer('TOLLGATE_COMPLETION_CONNECT_TIMEOUT_MS', {
    default: 5_000,
    min: 50,
    max: 60_000,
    description: 'How long a connection to a vendor may take to open.',
  }),
  headTimeoutMs: integer('TOLLGATE_COMPLETION_HEAD_TIMEOUT_MS', {
    default: 60_000,
    min: 50,
    max: 600_000,
    description: 'How long a vendor may take to the head of a stream.',
  }),
  wholeHeadTimeoutMs: integer('TOLLGATE_COMPLETION_WHOLE_HEAD_TIMEOUT_MS', {
    default: 180_000,
    min: 50,
    max: 3_600_000,
    description:
      'How long a vendor may take to the head of an answer in one piece, which many send when all of it is made.',
  }),
  firstTokenTimeoutMs: integer('TOLLGATE_COMPLETION_FIRST_TOKEN_TIMEOUT_MS', {
    default: 60_000,
    min: 50,
    max: 600_000,
    description: 'How long a vendor may take to the first event of a stream.',
  }),
  idleTimeoutMs: integer('TOLLGATE_COMPLETION_IDLE_TIMEOUT_MS', {
    default: 60_000,
    min: 1_000,
    max: 600_000,
    description: 'How long a vendor may be silent within an answer.',
  }),
  totalTimeoutMs: integer('TOLLGATE_COMPLETION_TOTAL_TIMEOUT_MS', {
    default: 600_000,
    min: 1_000,
    max: 3_600_000,
    description:
      'How long a vendor call may take in all, without time in which a slow reader holds it up; less than TOLLGATE_GATEWAY_COMPLETION_DEADLINE_MS.',
  }),
  connectionsPerChannelMax: integer('TOLLGATE_COMPLETION_CONNECTIONS_PER_CHANNEL_MAX', {
    default: 512,
    min: 1,
    max: 10_000,
    description:
      'Connections that may be open to one channel; an account may have as many of them as it leaves free, alone half.',
  }),
  keepAliveMs: integer('TOLLGATE_COMPLETION_KEEP_ALIVE_MS', {
    default: 30_000,
    min: 1_000,
    max: 600_000,
    description: 'How long an idle connection to a vendor is kept.',
  }),
  answerBytesMax: integer('TOLLGATE_COMPLETION_ANSWER_BYTES_MAX', {
    default: 8 * MEGABYTE,
    min: 1024,
    max: 15 * MEGABYTE,
    description: 'Longest vendor answer that is not streamed.',
  }),
  lineBytesMax: integer('TOLLGATE_COMPLETION_LINE_BYTES_MAX', {
    default: MEGABYTE,
    min: 1024,
    max: 10 * MEGABYTE,
    description: 'Longest line of a vendor stream.',
  }),
  streamBytesMax: integer('TOLLGATE_COMPLETION_STREAM_BYTES_MAX', {
    default: 64 * 1024,
    min: 1024,
    max: 10 * MEGABYTE,
    description: 'What of a stream may wait for its reader before the vendor is paused.',
  }),
  heldBytesMax: integer('TOLLGATE_COMPLETION_HELD_BYTES_MAX', {
    default: 256 * MEGABYTE,
    min: 16 * MEGABYTE,
    max: 65_536 * MEGABYTE,
    description:
      'Vendor answers that may be held at once, over all requests; beyond it the longest one gets 503.',
  }),
  heldLineBytesMax: integer('TOLLGATE_COMPLETION_HELD_LINE_BYTES_MAX', {
    default: 64 * MEGABYTE,
    min: 16 * MEGABYTE,
    max: 65_536 * MEGABYTE,
    description:
      'Lines of vendor streams that may be incomplete at once, over all requests; beyond it the stream with the longest one ends.',
  }),
  heldPromptBytesMax: integer('TOLLGATE_COMPLETION_HELD_PROMPT_BYTES_MAX', {
    default: 512 * MEGABYTE,
    min: 64 * MEGABYTE,
    max: 65_536 * MEGABYTE,
    description:
      'Prompts that may be held at once, over all requests, each counted twice, because its vendor gets a copy; an account may have as much of it as it leaves free, alone half, and beyond it gets 503.',
  }),
  retryAfterMsMax: integer('TOLLGATE_COMPLETION_RETRY_AFTER_MS_MAX', {
    default: 60_000,
    min: 0,
    max: 3_600_000,
    description:
      'Longest Retry-After of a vendor that is passed on, and that its model is left alone; 0 for never.',
  }),
  stalledReaderMs: integer('TOLLGATE_COMPLETION_STALLED_READER_MS', {
    default: 600_000,
    min: 1_000,
    max: 3_600_000,
    description:
      'How long a stream may be paused before its gateway is taken to be gone; far more than TOLLGATE_GATEWAY_STREAM_STALL_MS, which ends slow readers.',
  }),
  breakerFailurePercent: integer('TOLLGATE_COMPLETION_BREAKER_FAILURE_PERCENT', {
    default: 50,
    min: 1,
    max: 100,
    unit: 'percent',
    description:
      'Share of failed calls in ten seconds at which a model of a channel is left alone.',
  }),
  breakerCallsMin: integer('TOLLGATE_COMPLETION_BREAKER_CALLS_MIN', {
    default: 10,
    min: 1,
    max: 10_000,
    description: 'Calls in ten seconds before that share counts.',
  }),
  breakerOpenMs: integer('TOLLGATE_COMPLETION_BREAKER_OPEN_MS', {
    default: 5_000,
    min: 100,
    max: 600_000,
    description: 'How long a failing model of a channel is left alone before one call may try.',
  }),
  breakersMax: integer('TOLLGATE_COMPLETION_BREAKERS_MAX', {
    default: 10_000,
    min: 1,
    max: 1_000_000,
    description: 'Models of channels whose breakers are remembered; the oldest one is forgotten.',
  }),
  billingDeadlineMs: integer('TOLLGATE_COMPLETION_BILLING_DEADLINE_MS', {
    default: 3_000,
    min: 100,
    max: 60_000,
    description: 'How long billing may take to answer.',
  }),
  routingDeadlineMs: integer('TOLLGATE_COMPLETION_ROUTING_DEADLINE_MS', {
    default: 2_000,
    min: 100,
    max: 60_000,
    description: 'How long routing may take to take a report.',
  }),
  routingSilenceMs: integer('TOLLGATE_COMPLETION_ROUTING_SILENCE_MS', {
    default: 5_000,
    min: 1_000,
    max: 60_000,
    description: 'Silence after which the route table is asked for anew.',
  }),
  reportIntervalMs: integer('TOLLGATE_COMPLETION_REPORT_INTERVAL_MS', {
    default: 1_000,
    min: 100,
    max: 60_000,
    description: 'How often routing is told how the channels do.',
  }),
  leaseWaitersMax: integer('TOLLGATE_COMPLETION_LEASE_WAITERS_MAX', {
    default: 1_000,
    min: 1,
    max: 100_000,
    description: 'Requests of one account that may wait for credit.',
  }),
  leaseIdlePoorMs: integer('TOLLGATE_COMPLETION_LEASE_IDLE_POOR_MS', {
    default: 3_000,
    min: 100,
    max: 600_000,
    description: 'When an idle lease of an account with little left is closed.',
  }),
  leaseIdleRichMs: integer('TOLLGATE_COMPLETION_LEASE_IDLE_RICH_MS', {
    default: 60_000,
    min: 100,
    max: 3_600_000,
    description:
      'When an idle lease of an account with plenty left is closed; at the latest when it ends, because idle leases are not renewed.',
  }),
  leaseSlowPaceMs: integer('TOLLGATE_COMPLETION_LEASE_SLOW_PACE_MS', {
    default: 10_000,
    min: 100,
    max: 3_600_000,
    description:
      'An account that asks again only after this time has its lease closed with each request.',
  }),
  lookAfterLeasesMs: integer('TOLLGATE_COMPLETION_LEASE_TICK_MS', {
    default: 500,
    min: 10,
    max: 5_000,
    description: 'How often leases are looked after.',
  }),
  refusalCacheMs: integer('TOLLGATE_COMPLETION_REFUSAL_CACHE_MS', {
    default: 1_000,
    min: 0,
    max: 1_000,
    description: 'How long it is remembered that an account cannot pay.',
  }),
  publishBatchMs: integer('TOLLGATE_COMPLETION_PUBLISH_BATCH_MS', {
    default: 50,
    min: 0,
    max: 1_000,
    description: 'How long a usage record waits for company.',
  }),
  publishRecordsMax: integer('TOLLGATE_COMPLETION_PUBLISH_RECORDS_MAX', {
    default: 200,
    min: 1,
    max: 5_000,
    description: 'Usage records in one batch.',
  }),
  settlementPollMs: integer('TOLLGATE_COMPLETION_SETTLEMENT_POLL_MS', {
    default: 500,
    min: 10,
    max: 60_000,
    description: 'How often billing is asked what is settled.',
  }),
  settlementLeasesMax: integer('TOLLGATE_COMPLETION_SETTLEMENT_LEASES_MAX', {
    default: 500,
    min: 1,
    max: 10_000,
    description: 'Leases in one question to billing.',
  }),
  resendMs: integer('TOLLGATE_COMPLETION_RESEND_MS', {
    default: 5_000,
    min: 100,
    max: 600_000,
    description:
      'When a usage record that is not settled is sent again, to billing directly if the event bus had taken it; each time later, up to a minute, while that is of no use.',
  }),
  busTimeoutMs: integer('TOLLGATE_COMPLETION_BUS_TIMEOUT_MS', {
    default: 2_000,
    min: 100,
    max: 60_000,
    description: 'How long the event bus may take before a batch goes to billing directly.',
  }),
  busPauseMs: integer('TOLLGATE_COMPLETION_BUS_PAUSE_MS', {
    default: 5_000,
    min: 0,
    max: 600_000,
    description: 'How long the event bus is left alone after it failed.',
  }),
  drainStreamsMs: integer('TOLLGATE_COMPLETION_DRAIN_STREAMS_MS', {
    default: 20_000,
    min: 0,
    max: 3_600_000,
    description: 'How long running answers may go on when the service stops.',
  }),
});

export type CompletionConfig = ConfigOf<typeof completionConfigSchema>;
