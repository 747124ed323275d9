/** Bounds and forms that the gateway documents and the owner of the thing checks again. */

export const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** By which a repeated request is recognised. */
export interface Idempotency {
  /** The Idempotency-Key; empty when the client sent none. */
  readonly key: string;
  /** SHA-256 of the canonical body, hex. */
  readonly bodyDigest: string;
}

/** How many choices a request may ask for (`n`). */
export const CHOICES_MAX = 16;

/** How many further models a request may name, and how long the name of one may be. */
export const FALLBACK_MODELS_MAX = 8;
export const REQUESTED_MODEL_LENGTH_MAX = 256;

export const PLAN_ID = /^[a-z][a-z0-9_-]{0,31}$/;

/** Of a plan, and of the terms that stand in its place for one account. */
export const PLAN_BOUNDS = {
  limitMax: 1_000_000_000,
  /** Of groups, and of models. */
  listLengthMax: 500,
  listEntryLengthMax: 200,
  /** Groups that one account may be granted. */
  grantedGroupsMax: 100,
} as const;

/** How many thresholds of each kind an account or a plan may have. */
export const THRESHOLDS_MAX = 10;
/** The longest time, in days, that a threshold may ask a balance to last. */
export const THRESHOLD_DAYS_MAX = 365;

/** Of what an operator or a shop says of a ledger entry, characters. */
export const LEDGER_NOTE_LENGTH_MAX = 500;

/** Redeemable codes that are made together. */
export const CODES_PER_BATCH_MAX = 1_000;

/** Of the settings of an API key. */
export const KEY_BOUNDS = {
  listLengthMax: 100,
  /** A name of a model or a group. */
  listEntry: /^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}$/,
  limitMax: 2_000_000_000,
  metadataMembersMax: 16,
  metadataNameLengthMax: 64,
  metadataValueLengthMax: 512,
} as const;

/** How long a replaced secret may go on working, seconds: seven days. */
export const GRACE_PERIOD_S_MAX = 604_800;

/** Abilities beyond text, of a model or a channel. */
export const CAPABILITIES_MAX = 50;
export const CAPABILITY = /^[a-z][a-z0-9_]{0,63}$/;

/** Of the settings of a model. */
export const MODEL_BOUNDS = {
  nameLengthMax: 100,
  name: /^[a-z0-9][a-z0-9._-]*$/,
  descriptionLengthMax: 1_000,
  /** More than any model takes or answers. */
  tokensMax: 100_000_000,
} as const;

/** Of the settings of a channel. */
export const CHANNEL_BOUNDS = {
  modelsMax: 500,
  groupsMax: 50,
  priorityMax: 1_000,
  weightMax: 1_000,
  concurrencyMax: 100_000,
  timeoutMsMax: 3_600_000,
  /** A model's name at its vendor. */
  upstreamName: /^[\x21-\x7e]{1,200}$/,
  credentialLengthMax: 8_192,
} as const;

/** Of the settings of a webhook endpoint. */
export const ENDPOINT_BOUNDS = {
  urlLengthMax: 2_048,
  descriptionLengthMax: 500,
} as const;

export const EMAIL_LENGTH_MAX = 254;
export const PASSWORD_LENGTH_MIN = 8;
export const PASSWORD_BYTES_MAX = 1_024;
/** Of the path to which a login leads back. */
export const REDIRECT_LENGTH_MAX = 2_048;

const WEBHOOK_MESSAGE_ID = /^[\x21-\x7e]{1,200}$/;

/** The id of a message that another system signs, after Standard Webhooks. */
export function isWebhookMessageId(text: string): boolean {
  return WEBHOOK_MESSAGE_ID.test(text);
}
