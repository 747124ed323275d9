import type { EventType, NewWebhook, Role, Webhook, WebhookChanges } from '../../api/schemas';
import { isUrl } from '../../components/checks';
import { changedFields } from '../../components/drafts';

/** A webhook as the form holds it. */
export interface WebhookDraft {
  url: string;
  events: EventType[];
  description: string;
}

/** Events that may be subscribed to; tests are sent to every endpoint. */
const EVENTS: readonly { readonly type: EventType; readonly says: string }[] = [
  { type: 'balance.low', says: 'the balance goes below a threshold' },
  { type: 'balance.exhausted', says: 'requests are refused for want of balance' },
  { type: 'spending.suspended', says: 'the balance is below where spending ends' },
  { type: 'spending.resumed', says: 'the account spends again' },
  { type: 'credits.added', says: 'credit was granted' },
  { type: 'plan.changed', says: 'the account is on another plan' },
  { type: 'key.created', says: 'an API key was made' },
  { type: 'key.rotated', says: 'an API key has a new secret' },
  { type: 'key.revoked', says: 'an API key was revoked' },
  { type: 'key.expiring', says: 'an API key ends soon' },
  { type: 'key.budget_exceeded', says: 'an API key’s budget ends, or is too little for a request' },
  { type: 'requests.refused', says: 'requests start or stop being refused' },
  { type: 'rate_limit.sustained', says: 'requests are refused for a while' },
];
const OPERATOR_EVENTS: typeof EVENTS = [
  { type: 'channel.disabled', says: 'a channel was taken out of service' },
  { type: 'channel.recovered', says: 'a channel is back' },
];

export function eventsFor(role: Role): typeof EVENTS {
  return role === 'operator' ? [...EVENTS, ...OPERATOR_EVENTS] : EVENTS;
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
