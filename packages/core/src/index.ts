export {
  CAPABILITIES_MAX,
  CAPABILITY,
  CHANNEL_BOUNDS,
  CHOICES_MAX,
  CODES_PER_BATCH_MAX,
  EMAIL_LENGTH_MAX,
  ENDPOINT_BOUNDS,
  FALLBACK_MODELS_MAX,
  GRACE_PERIOD_S_MAX,
  IDEMPOTENCY_KEY,
  type Idempotency,
  isWebhookMessageId,
  KEY_BOUNDS,
  LEDGER_NOTE_LENGTH_MAX,
  MODEL_BOUNDS,
  PASSWORD_BYTES_MAX,
  PASSWORD_LENGTH_MIN,
  PLAN_BOUNDS,
  PLAN_ID,
  REDIRECT_LENGTH_MAX,
  REQUESTED_MODEL_LENGTH_MAX,
  THRESHOLD_DAYS_MAX,
  THRESHOLDS_MAX,
} from './agreed-bounds';
export {
  ACCESS_TOKEN_TYPE,
  BEARER_FAULTS,
  type BearerFault,
  BREAKER_STATES,
  type BreakerState,
  CALL_FAILURE_KINDS,
  CALL_OUTCOME_KINDS,
  type CallFailureKind,
  type CallOutcomeKind,
  type CallSummary,
  CHANNEL_STATUSES,
  CHANNEL_TYPES,
  type ChannelStatus,
  type ChannelTimeouts,
  type ChannelType,
  COST_MAX_HEADER,
  type EngineName,
  FINISH_REASONS,
  type FinishReason,
  HEALTH_STATES,
  type HealthState,
  MODEL_KINDS,
  type ModelKind,
  REAL_CHANNEL_TYPES,
  type RealChannelType,
  SCOPES,
  type Scope,
  SERVICE_NAMES,
  SETTLED_REASONS,
  type ServiceName,
  type SettledReason,
  THINKING_TOKENS_BY_EFFORT,
  unclaimedEmail,
  WEBHOOK_EVENT_TYPES,
  type WebhookEventType,
} from './agreed-values';
export {
  API_KEY_PREFIX,
  apiKeyChecksum,
  hasApiKeyPrefix,
  type ParsedKey,
  parseApiKey,
} from './api-key-text';
export {
  AppError,
  assertNever,
  EventKeysRefused,
  invalid,
  isCode,
  isTransient,
  REJECTED_MAX,
  REJECTION_REASONS,
  type RejectedCandidate,
  type RejectionReason,
  toAppError,
} from './app-error';
export { type BoundedMap, createBoundedMap } from './bounded-map';
export { BUDGET_PERIODS, type BudgetPeriod, periodEndOf, periodStartOf } from './budget-period';
export { chunksOf } from './chunks';
export {
  type BackoffPolicy,
  backoffDelayMs,
  type Clock,
  createSystemClock,
  DAY_MS,
  delay,
  fromIsoTime,
  HOUR_MS,
  MINUTE_MS,
  readRetryAfterMs,
  SECOND_MS,
  type Timer,
  toIsoTime,
  waitAtMost,
} from './clock';
export {
  codeClaimId,
  creditIdOf,
  creditNameOfClaim,
  originOfCredit,
  topUpClaimId,
} from './credit-origin';
export {
  DISPLAY_NAME_LENGTH_MAX,
  INVISIBLE_CHARACTERS,
  parseDisplayName,
  toDisplayName,
} from './display-name';
export { ERROR_CODES, type ErrorCode, type ErrorDefinition, isErrorCode } from './error-codes';
export { createFairShare, type FairShare } from './fair-share';
export { equalText, hashText, sha256Hex } from './hash';
export {
  type AccountId,
  type ChannelId,
  CROCKFORD_DIGITS,
  createId,
  firstIdAt,
  ID_PREFIXES,
  type Id,
  idTimeMs,
  isId,
  isIdentifier,
  type RequestId,
} from './ids';
export {
  asList,
  asObject,
  asText,
  endOfJsonString,
  findExcess,
  isObject,
  type JsonObject,
  parseJson,
} from './json';
export { type LogFields, type Logger, silentLogger } from './logger';
export { memoize } from './memoize';
export {
  DEFAULT_GROUP,
  GROUP_NAME,
  isRoutingName,
  OWN_GROUP,
  ROUTING_NAMES,
  type RoutingName,
  splitModelName,
  versionSuffixOf,
  withoutVersionSuffix,
} from './model-names';
export {
  cacheWritePriceOf,
  chargeOf,
  discountedPrices,
  formatAmount,
  maxNano,
  minNano,
  NANO_MAX,
  type Nano,
  nano,
  parseAmount,
  parseNano,
  priceOf,
  TOKENS_PER_PRICE_UNIT,
  type TokenCounts,
  type UnitPrices,
  ZERO_NANO,
} from './money';
export { nearestListed, nearestName } from './nearest-name';
export { networkOf } from './network';
export { createOwnerQueues } from './owner-queues';
export {
  type IdPage,
  idPageOf,
  invalidCursor,
  PAGE_SIZE_DEFAULT,
  PAGE_SIZE_MAX,
  type Page,
  type PageRequest,
  type PageWindow,
  pageByCursor,
  pageById,
  pageSize,
  windowOf,
} from './page';
export {
  eachLimit,
  eachLimitField,
  LIMIT_FIELDS,
  LIMIT_NAMES,
  type LimitName,
} from './request-limits';
export {
  createSealer,
  type NamedSecret,
  type RotatingSealer,
  type Sealer,
  sealingKeyIdOf,
} from './sealing';
export { seededRandom } from './seeded-random';
export { createSharedWork, type SharedWork } from './shared-work';
export { signedThoughts, type Thought, textOfThoughts, thoughtOf } from './thoughts';
export { TurnoverMap } from './turnover-map';
export {
  createTurns,
  createTurnsByKey,
  type TurnsByKey,
  type WaitingCall,
  waitBoundOf,
} from './turns';
export {
  type Budget,
  type CloseRecord,
  hasReadableTexts,
  type NumberedRecord,
  RECORD_CODE_LENGTH_MAX,
  RECORD_NAME_LENGTH_MAX,
  REPORT_LENGTH_MAX,
  type RecordPlace,
  USAGE_RECORD_FIELDS,
  USAGE_RECORD_PLACE,
  type UsageEndReason,
  type UsageField,
  type UsageFieldType,
  type UsageOutcome,
  type UsageRecord,
  type UsageStart,
} from './usage-record';
export { createUsageRecordCodec, toCamelCase, toSnakeCase } from './usage-record-codec';
export {
  writeUsageRecordText,
  writeUsageStartText,
  writtenRecords,
} from './usage-record-text';
export { CREDIT_STATUSES, isOutOfCredit } from './vendor-credit';
export {
  answerBoundOf,
  anthropicTarget,
  type GeminiMethod,
  geminiModelsTarget,
  geminiResourceOf,
  geminiTarget,
  openaiModelsTarget,
  openaiTarget,
  type VendorTarget,
  vendorBaseOf,
} from './vendor-requests';
export { withoutUndefined } from './without-undefined';
