export { AppError, assertNever, invalid, isUnavailable, toAppError } from './app-error';
export { type BoundedMap, createBoundedMap } from './bounded-map';
export {
  type BackoffPolicy,
  backoffDelayMs,
  type Clock,
  createSystemClock,
  delay,
  fromIsoTime,
  type Timer,
  toIsoTime,
  waitAtMost,
} from './clock';
export { ERROR_CODES, type ErrorCode, type ErrorDefinition, isErrorCode } from './error-codes';
export {
  type AccountId,
  type ChannelId,
  createId,
  firstIdAt,
  ID_PREFIXES,
  type Id,
  isId,
  type RequestId,
} from './ids';
export { endOfJsonString, isDeeperThan } from './json-scan';
export { type LogFields, type Logger, silentLogger } from './logger';
export {
  formatAmount,
  maxNano,
  minNano,
  type Nano,
  nano,
  parseAmount,
  parseNano,
  priceOf,
  type TokenCounts,
  type UnitPrices,
  ZERO_NANO,
} from './money';
export { nearestName } from './nearest-name';
export {
  type Page,
  type PageRequest,
  type PageWindow,
  pageOf,
  pageSize,
  toPage,
  windowOf,
} from './page';
export { createSealer, type Sealer } from './sealing';
export {
  type BudgetPeriod,
  type CloseRecord,
  createUsageRecordCodec,
  hasReadableTexts,
  isIdentifier,
  type KeyLimit,
  type RecordPlace,
  toSnakeCase,
  USAGE_RECORD_FIELDS,
  USAGE_RECORD_PLACE,
  type UsageField,
  type UsageFieldType,
  type UsageReason,
  type UsageRecord,
  type UsageSource,
} from './usage-record';
