export type { IdempotencyClaim, IdempotencyStore, KeptClaim } from './idempotency-store';
export {
  type Idempotency,
  type IdempotencyOptions,
  type IdempotentResult,
  type IdempotentWork,
  NO_KEY,
  runIdempotently,
} from './run-idempotently';
