import type { EventType, NewWebhook, Role, Webhook, WebhookChanges } from '../../api/schemas';
import { isUrl } from '../../components/checks';
import { changedFields } from '../../components/drafts';

/** A webhook as the form holds it. */
export interface WebhookDraft {
  url: string;
  events: EventType[];
  description: string;
}

/** Tests are sent to every endpoint. */
type OfferedEvent = Exclude<EventType, 'webhook.test'>;

/** Events that may be subscribed to, as a customer hears of them. */
const EVENTS: Readonly<Record<OfferedEvent, string>> = {
  'balance.low': 'the balance goes below a threshold',
  'balance.exhausted': 'requests are refused for want of balance',
  'spending.suspended': 'the balance is below where spending ends',
  'spending.resumed': 'the account spends again',
  'credits.added': 'credit was granted',
  'plan.changed': 'the account is on another plan',
  'key.created': 'an API key was made',
  'key.rotated': 'an API key has a new secret',
  'key.revoked': 'an API key was revoked',
  'key.expiring': 'an API key ends soon',
  'key.budget_exceeded': 'an API key’s budget ends, or is too little for a request',
  'requests.refused': 'requests start or stop being refused',
  'rate_limit.sustained': 'requests are refused for a while',
  'channel.disabled': 'a channel of your account’s own was taken out of service',
  'channel.recovered': 'a channel of your account’s own is back',
};

/** Operators hear of shared channels as well, which nobody else does. */
const OPERATOR_EVENTS: Partial<Readonly<Record<OfferedEvent, string>>> = {
  'channel.disabled': 'a shared channel, or your account’s own, was taken out of service',
  'channel.recovered': 'a shared channel, or your account’s own, is back',
};

/** The events that may be chosen, and what each says to somebody of the role. */
export function eventsFor(role: Role): readonly { readonly type: string; readonly says: string }[] {
  const texts = role === 'operator' ? { ...EVENTS, ...OPERATOR_EVENTS } : EVENTS;
  return Object.entries(texts).map(([type, says]) => ({ type, says }));
}

export const EMPTY_WEBHOOK: WebhookDraft = {
  url: '',
  events: ['balance.low', 'balance.exhausted'],
  description: '',
};

const DESCRIPTION_MAX = 500;

export const WEBHOOK_RULES = {
  url: isUrl,
  events: (events: readonly EventType[]) => (events.length === 0 ? 'At least one' : null),
  description: (text: string) =>
    text.length > DESCRIPTION_MAX ? `At most ${DESCRIPTION_MAX} characters` : null,
};

/** Events in the order of their names, so that another order is no difference. */
export function toNewWebhook({ url, events, description }: WebhookDraft): NewWebhook {
  return { url: url.trim(), events: events.toSorted(), description: description.trim() };
}

/** The fields that differ from the webhook as it is. */
export function toWebhookChanges(draft: WebhookDraft, webhook: Webhook): WebhookChanges {
  return changedFields(toNewWebhook(toWebhookDraft(webhook)), toNewWebhook(draft));
}

export function toWebhookDraft({ url, events, description }: Webhook): WebhookDraft {
  return { url, events: events as EventType[], description };
}

/** What a receiver gets, for the first event that it asks for. */
export function exampleOf(events: readonly string[]): string {
  const body = {
    id: 'evt_01J00000000000000000000001',
    type: events[0] ?? 'webhook.test',
    created_at: '2026-01-31T12:00:00.000Z',
    sequence: 17,
    data: { account_id: 'acc_01J00000000000000000000001' },
  };
  return JSON.stringify(body, null, 2);
}
