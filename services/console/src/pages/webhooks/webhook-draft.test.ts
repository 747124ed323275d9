import type { Webhook } from '../../api/schemas';
import { EMPTY_WEBHOOK, eventsFor, toWebhookChanges, WEBHOOK_RULES } from './webhook-draft';

// What the form shows; the API says more of an endpoint.
const WEBHOOK = {
  url: 'https://example.com/hook',
  events: ['key.created', 'balance.low'],
  description: 'for the team',
} as Webhook;

test('a change sends what differs; the order of events is no difference', () => {
  const same = {
    url: ' https://example.com/hook ',
    events: ['balance.low', 'key.created'] as typeof EMPTY_WEBHOOK.events,
    description: 'for the team',
  };
  expect(toWebhookChanges(same, WEBHOOK)).toEqual({});
  expect(toWebhookChanges({ ...same, events: ['balance.low'], description: '' }, WEBHOOK)).toEqual({
    events: ['balance.low'],
    description: '',
  });
});

test('events of channels are offered to everybody, of shared channels to operators only', () => {
  const channels = (role: 'owner' | 'operator') =>
    eventsFor(role).filter(({ type }) => type.startsWith('channel.'));
  expect(channels('owner').map(({ type }) => type)).toEqual([
    'channel.disabled',
    'channel.recovered',
  ]);
  expect(channels('owner').filter(({ says }) => says.includes('shared'))).toEqual([]);
  expect(channels('operator').every(({ says }) => says.includes('shared channel'))).toBe(true);
  expect(eventsFor('operator')).toHaveLength(eventsFor('owner').length);
});

test('a webhook needs an address and at least one event', () => {
  expect(WEBHOOK_RULES.url('example.com')).not.toBeNull();
  expect(WEBHOOK_RULES.events([])).not.toBeNull();
  expect(WEBHOOK_RULES.events(EMPTY_WEBHOOK.events)).toBeNull();
});
