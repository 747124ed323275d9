import { formatAmount, fromIsoTime, parseNano, type WebhookEventType } from '@tollgate/core';
import { type EventOf, isRateLimit, type TollgateEvent } from '@tollgate/events';
import type { DenialCount } from '../domain/denial';
import type { Audience, WebhookEvent } from '../domain/webhook-event';

/** All but those that webhook makes itself. */
type PublishedType = Exclude<
  WebhookEventType,
  'rate_limit.sustained' | 'requests.refused' | 'webhook.test'
>;

/** An event that receivers are told of, whatever its data are. */
interface Published<Data> {
  readonly id: string;
  readonly type: WebhookEventType;
  readonly time: string;
  readonly data: Data;
}

interface NoticeData {
  readonly account_id: string;
  readonly notice_seq: number;
  readonly currency: string;
}

type Payload = Readonly<Record<string, unknown>>;
type Conversion<Event> = (event: Event) => WebhookEvent;

/** What receivers are told of each event. */
const CONVERSIONS: { readonly [Type in PublishedType]: Conversion<EventOf<Type>> } = {
  'balance.low': fromNotice(({ available, threshold, days = null }) => ({
    available: toAmount(available),
    threshold: toAmount(threshold),
    days,
  })),
  'balance.exhausted': fromNotice(({ available }) => ({ available: toAmount(available) })),
  'spending.suspended': fromNotice(toSpending),
  'spending.resumed': fromNotice(toSpending),
  'credits.added': fromNotice(({ credit_id, amount, available }) => ({
    credit_id,
    amount: toAmount(amount),
    available: toAmount(available),
  })),
  'key.budget_exceeded': fromNotice(({ key_id, limit, period }) => ({
    key_id,
    limit: toAmount(limit),
    period,
  })),
  'key.created': fromAccountEvent,
  'key.rotated': fromAccountEvent,
  'key.revoked': fromAccountEvent,
  'key.expiring': fromAccountEvent,
  'plan.changed': fromAccountEvent,
  'channel.disabled': fromChannelEvent,
  'channel.recovered': fromChannelEvent,
};

/** The notification that receivers get of an event; undefined for events that are not for them. */
export function fromEvent(event: TollgateEvent): WebhookEvent | undefined {
  if (!Object.hasOwn(CONVERSIONS, event.type)) return undefined;
  // The table ties type and event together, which a lookup by a union type cannot show.
  const convert = CONVERSIONS[event.type as PublishedType] as Conversion<TollgateEvent>;
  return convert(event);
}

export function fromDenialsEvent(event: EventOf<'denials.counted'>): DenialCount {
  const { account_id: accountId, key_id: keyId, reason, count, ...window } = event.data;
  const atMs = fromIsoTime(window.window_start) ?? 0;
  const times = { atMs, windowMs: window.window_seconds * 1_000 };
  return { id: event.id, accountId, keyId, reason, count, ...times, isLimit: isRateLimit(reason) };
}

/** For a notice of billing, whose amounts are told in its currency. */
function fromNotice<Data extends NoticeData>(
  toPayload: (data: Data) => Payload,
): Conversion<Published<Data>> {
  return (event) => {
    const { notice_seq, account_id, currency } = event.data;
    // Kept deliveries have this key from when each publication of a notice had an id of its own.
    const key = `notice ${account_id} ${notice_seq}`;
    const data = { account_id, ...toPayload(event.data), currency };
    return toWebhookEvent(event, key, ofAccount(account_id), data);
  };
}

interface SpendingData extends NoticeData {
  readonly available: string;
  readonly threshold: string;
}

function toSpending(data: SpendingData): Payload {
  return { available: toAmount(data.available), threshold: toAmount(data.threshold) };
}

function toAmount(text: string): string {
  return formatAmount(parseNano(text));
}

function fromAccountEvent(event: Published<{ readonly account_id: string }>): WebhookEvent {
  return toWebhookEvent(event, event.id, ofAccount(event.data.account_id), { ...event.data });
}

/** An event of a shared channel is for operators, that of an account's own one for the account. */
function fromChannelEvent(
  event: Published<{ readonly owner_account_id: string | null }>,
): WebhookEvent {
  const { owner_account_id: owner } = event.data;
  const audience: Audience = owner === null ? { kind: 'operators' } : ofAccount(owner);
  return toWebhookEvent(event, event.id, audience, { ...event.data });
}

function ofAccount(accountId: string): Audience {
  return { kind: 'account', accountId };
}

function toWebhookEvent(
  { id: eventId, type, time }: Published<unknown>,
  key: string,
  audience: Audience,
  data: Payload,
): WebhookEvent {
  return { key, eventId, type, atMs: fromIsoTime(time) ?? 0, audience, data };
}
