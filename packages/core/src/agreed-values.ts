/** Values that several services and the configuration have to agree on. */

/**
 * The services, by the names of `TARGET`, without the simulator, which is reached over HTTP like a
 * vendor. They prove the name to each other by certificate or token; the console speaks no gRPC and is
 * here for its address alone.
 */
export const SERVICE_NAMES = [
  'gateway',
  'completion',
  'routing',
  'billing',
  'identity',
  'webhook',
  'stats',
  'console',
] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** An engine that several services share, outside the process. */
export type EngineName = 'mongodb' | 'kafka' | 'redis';

/** Channel types without the simulator: each is the protocol of a vendor. */
export const REAL_CHANNEL_TYPES = ['openai', 'anthropic', 'gemini'] as const;
export type RealChannelType = (typeof REAL_CHANNEL_TYPES)[number];

/** Vendor protocols that a channel can speak. */
export const CHANNEL_TYPES = [...REAL_CHANNEL_TYPES, 'simulator'] as const;
export type ChannelType = (typeof CHANNEL_TYPES)[number];

/** Bounds of one call at a channel, milliseconds; 0 is the default of completion. */
export interface ChannelTimeouts {
  readonly connectMs: number;
  /** To the head of a stream. */
  readonly headMs: number;
  /** To the head of an answer in one piece. */
  readonly wholeHeadMs: number;
  readonly firstTokenMs: number;
  readonly idleMs: number;
  readonly totalMs: number;
}

/**
 * ```
 * enabled ──(operator)──▶ disabled ──(operator)──▶ enabled
 * enabled ──(vendor refused the credential or wants credit, auto_disable)──▶ auto_disabled
 * auto_disabled ──(a probe succeeded, or the operator)──▶ enabled
 * ```
 */
export const CHANNEL_STATUSES = ['enabled', 'disabled', 'auto_disabled'] as const;
export type ChannelStatus = (typeof CHANNEL_STATUSES)[number];

/** How a channel, or a model at it, does. */
export const HEALTH_STATES = ['unknown', 'healthy', 'degraded', 'unhealthy'] as const;
export type HealthState = (typeof HEALTH_STATES)[number];

/** Whether a model at a channel is called: `half_open` lets a single call try. */
export const BREAKER_STATES = ['closed', 'half_open', 'open'] as const;
export type BreakerState = (typeof BREAKER_STATES)[number];

/** How a call at a channel failed. */
export const CALL_FAILURE_KINDS = [
  'failure',
  'timeout',
  'rate_limited',
  'credential_refused',
] as const;
export type CallFailureKind = (typeof CALL_FAILURE_KINDS)[number];

/**
 * How a call at a channel ended, as completion reports it to routing. `no_room`: it was not made,
 * because the channel answered as many as it may.
 */
export const CALL_OUTCOME_KINDS = ['success', 'no_room', ...CALL_FAILURE_KINDS] as const;
export type CallOutcomeKind = (typeof CALL_OUTCOME_KINDS)[number];

/** The calls of a model at a channel that ended alike, since completion's last report to routing. */
export interface CallSummary {
  readonly channelId: string;
  readonly model: string;
  readonly kind: CallOutcomeKind;
  /** At least 1; the other members tell of the newest of them. */
  readonly count: number;
  readonly latencyMs: number;
  readonly firstTokenMs: number;
  /** Of the model at the channel. */
  readonly breaker: BreakerState;
  /** How long the vendor still wants to be left alone with the model; 0 when it does not. */
  readonly cooldownMs: number;
  /** What the newest call met, with the vendor's words, for operators; empty after a success. */
  readonly detail: string;
}

/**
 * Tokens to think for, for models that are told how long to think and not how hard. The first four
 * are those of Gemini's endpoint for chat completions, the last is the most that Anthropic
 * recommends. A budget of a request becomes an effort by the same numbers.
 */
export const THINKING_TOKENS_BY_EFFORT = {
  minimal: 1024,
  low: 1024,
  medium: 8192,
  high: 24_576,
  xhigh: 32_000,
} as const;

/** What a model makes. */
export const MODEL_KINDS = ['chat', 'embedding'] as const;
export type ModelKind = (typeof MODEL_KINDS)[number];

/** The header of a request that says what its completion may cost at most. */
export const COST_MAX_HEADER = 'X-Tollgate-Max-Cost';

/** The `typ` of an access token, which identity signs and gateways check. */
export const ACCESS_TOKEN_TYPE = 'access';

/** The uses of an API key. `admin` opens the operator's endpoints, for operators only. */
export const SCOPES = [
  'completions',
  'models',
  'keys',
  'billing',
  'stats',
  'webhooks',
  'admin',
] as const;
export type Scope = (typeof SCOPES)[number];

/** Events that a webhook endpoint can subscribe to. */
export const WEBHOOK_EVENT_TYPES = [
  'balance.low',
  'balance.exhausted',
  'spending.suspended',
  'spending.resumed',
  'credits.added',
  'plan.changed',
  'key.created',
  'key.rotated',
  'key.revoked',
  'key.expiring',
  'key.budget_exceeded',
  'channel.disabled',
  'channel.recovered',
  'rate_limit.sustained',
  'requests.refused',
  'webhook.test',
] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

/**
 * Why a bearer lets nobody in. `wrong_secret`: its key is known, but this is none of its secrets;
 * `owner_gone`: who made the key is gone or disabled, or the account is; `session`: it is a session,
 * which is over or not taken here, or anything else where a session is wanted.
 */
export const BEARER_FAULTS = [
  'missing',
  'malformed',
  'unknown',
  'wrong_secret',
  'revoked',
  'disabled',
  'expired',
  'owner_gone',
  'session',
] as const;
export type BearerFault = (typeof BEARER_FAULTS)[number];

/** Why a choice ended, in the words of chat completions. */
export const FINISH_REASONS = ['stop', 'length', 'content_filter', 'tool_calls'] as const;
export type FinishReason = (typeof FINISH_REASONS)[number];

/**
 * How a charge came about: in its lease (`settled`), from what was available after the lease had
 * been swept (`swept`), absorbed because its spool was given up (`retired`), or at 0 because the
 * record makes no sense (`refused`).
 */
export const SETTLED_REASONS = ['settled', 'swept', 'retired', 'refused'] as const;
export type SettledReason = (typeof SETTLED_REASONS)[number];

const UNCLAIMED_BYTES = 12;

/**
 * An address in the place of one that a user has no right to. Nobody guesses it, so that nobody holds
 * it before, and nobody has a mailbox under this top level (RFC 2606).
 */
export function unclaimedEmail(random: (size: number) => Buffer): string {
  return `${random(UNCLAIMED_BYTES).toString('hex')}@unverified.invalid`;
}
