/** Bounds and forms that the gateway documents and the owner of the thing checks again. */

export const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

export const PLAN_ID = /^[a-z][a-z0-9_-]{0,31}$/;

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

/** Of the settings of a channel. */
export const CHANNEL_BOUNDS = {
  groupsMax: 50,
  priorityMax: 1_000,
  weightMax: 1_000,
  concurrencyMax: 100_000,
  timeoutMsMax: 3_600_000,
  /** A model's name at its vendor. */
  upstreamName: /^[\x21-\x7e]{1,200}$/,
  credentialLengthMax: 8_192,
} as const;

export const PASSWORD_LENGTH_MIN = 8;
export const PASSWORD_BYTES_MAX = 1_024;

const WEBHOOK_MESSAGE_ID = /^[\x21-\x7e]{1,200}$/;

/** The id of a message that another system signs, after Standard Webhooks. */
export function isWebhookMessageId(text: string): boolean {
  return WEBHOOK_MESSAGE_ID.test(text);
}
