import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '@tollgate/core';

const KNOWN: ReadonlySet<string> = new Set(WEBHOOK_EVENT_TYPES);

/** True when the text names an event of the list. */
export function isWebhookEventType(text: string): text is WebhookEventType {
  return KNOWN.has(text);
}

/** Whose endpoints an event may reach: one account's, or those that an operator sent events to. */
export type Audience =
  | { readonly kind: 'account'; readonly accountId: string }
  | { readonly kind: 'operators' };

/** An event as receivers are told of it. */
export interface WebhookEvent {
  /**
   * Names the event however often it is published. Mostly the event's id; billing's notices are
   * known by account and number, as they were while their ids changed with each publication.
   */
  readonly key: string;
  readonly eventId: string;
  readonly type: WebhookEventType;
  readonly atMs: number;
  readonly audience: Audience;
  /** The payload in the receivers' spelling: snake_case, amounts in the currency. */
  readonly data: Readonly<Record<string, unknown>>;
}
