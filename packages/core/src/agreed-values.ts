/** What several services and the configuration have to agree on. */

/** Every service that may call another or be called; the name on its certificate or in its token. */
export const SERVICE_NAMES = [
  'gateway',
  'completion',
  'routing',
  'billing',
  'identity',
  'webhook',
  'stats',
  'console',
] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** Vendor protocols that a channel can speak. */
export const CHANNEL_TYPES = ['openai', 'anthropic', 'gemini', 'simulator'] as const;
export type ChannelType = (typeof CHANNEL_TYPES)[number];

/** How many choices a request may ask for (`n`). */
export const CHOICES_MAX = 16;

/** What an API key may be used for. `admin` opens the operator's endpoints and is for operators only. */
export const SCOPES = [
  'completions',
  'models',
  'keys',
  'billing',
  'stats',
  'webhooks',
  'admin',
] as const;
export type Scope = (typeof SCOPES)[number];

/** What a webhook endpoint can subscribe to. */
export const WEBHOOK_EVENT_TYPES = [
  'balance.low',
  'balance.exhausted',
  'credits.added',
  'plan.changed',
  'key.created',
  'key.rotated',
  'key.revoked',
  'key.expiring',
  'key.budget_exceeded',
  'channel.disabled',
  'channel.recovered',
  'rate_limit.sustained',
  'webhook.test',
] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];
