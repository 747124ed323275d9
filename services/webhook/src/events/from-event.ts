import { formatAmount, fromIsoTime, parseNano, type WebhookEventType } from '@tollgate/core';
import { type EventOf, isRateLimit, type TollgateEvent } from '@tollgate/events';
import type { DenialCount } from '../domain/denial';
import type { Audience, WebhookEvent } from '../domain/webhook-event';

type NoticeType =
  | 'balance.low'
  | 'balance.exhausted'
  | 'spending.suspended'
  | 'spending.resumed'
  | 'credits.added'
  | 'key.budget_exceeded';
type IdentityType = 'key.created' | 'key.rotated' | 'key.revoked' | 'key.expiring' | 'plan.changed';
type ChannelType = 'channel.disabled' | 'channel.recovered';

/**
 * The notification that receivers get of an event; undefined for events that are not for them.
 * `currency` is of amounts whose event does not tell theirs.
 */
export function fromEvent(event: TollgateEvent, currency: string): WebhookEvent | undefined {
  switch (event.type) {
    case 'balance.low':
    case 'balance.exhausted':
    case 'spending.suspended':
    case 'spending.resumed':
    case 'credits.added':
    case 'key.budget_exceeded':
      return fromNotice(event, currency);
    case 'key.created':
    case 'key.rotated':
    case 'key.revoked':
    case 'key.expiring':
    case 'plan.changed':
      return toWebhookEvent(event, event.id, ofAccount(event.data.account_id), { ...event.data });
    case 'channel.disabled':
    case 'channel.recovered':
      return fromChannelEvent(event);
    default:
      return undefined;
  }
}

export function fromDenialsEvent(event: EventOf<'denials.counted'>): DenialCount {
  const { account_id: accountId, key_id: keyId, reason, count, ...window } = event.data;
  const atMs = fromIsoTime(window.window_start) ?? 0;
  const times = { atMs, windowMs: window.window_seconds * 1_000 };
  return { id: event.id, accountId, keyId, reason, count, ...times, isLimit: isRateLimit(reason) };
}

function fromNotice(event: EventOf<NoticeType>, currency: string): WebhookEvent {
  const { notice_seq, account_id: accountId, currency: told = currency } = event.data;
  // Kept deliveries have this key from when each publication of a notice had an id of its own.
  const key = `notice ${accountId} ${notice_seq}`;
  const data = { ...noticeData(event), currency: told };
  return toWebhookEvent(event, key, ofAccount(accountId), data);
}

function noticeData(event: EventOf<NoticeType>): Readonly<Record<string, unknown>> {
  const amount = (text: string) => formatAmount(parseNano(text));
  const { account_id } = event.data;
  switch (event.type) {
    case 'balance.low': {
      const { available, threshold, days = null } = event.data;
      return { account_id, available: amount(available), threshold: amount(threshold), days };
    }
    case 'spending.suspended':
    case 'spending.resumed': {
      const { available, threshold } = event.data;
      return { account_id, available: amount(available), threshold: amount(threshold) };
    }
    case 'balance.exhausted':
      return { account_id, available: amount(event.data.available) };
    case 'credits.added': {
      const { credit_id, amount: added, available } = event.data;
      return { account_id, credit_id, amount: amount(added), available: amount(available) };
    }
    case 'key.budget_exceeded': {
      const { key_id, limit, period } = event.data;
      return { account_id, key_id, limit: amount(limit), period };
    }
  }
}

/** An event of a shared channel is for operators, that of an account's own one for the account. */
function fromChannelEvent(event: EventOf<ChannelType>): WebhookEvent {
  const { owner_account_id: owner } = event.data;
  const audience: Audience = owner === null ? { kind: 'operators' } : ofAccount(owner);
  return toWebhookEvent(event, event.id, audience, { ...event.data });
}

function ofAccount(accountId: string): Audience {
  return { kind: 'account', accountId };
}

function toWebhookEvent(
  event: EventOf<NoticeType | IdentityType | ChannelType>,
  key: string,
  audience: Audience,
  data: Readonly<Record<string, unknown>>,
): WebhookEvent {
  const type: WebhookEventType = event.type;
  const atMs = fromIsoTime(event.time) ?? 0;
  return { key, eventId: event.id, type, atMs, audience, data };
}
