import type { identityV1, routingV1 } from '@tollgate/protos';
import { checksumOf } from '../auth/bearer-text';

/** A well-formed key text; every number gives another one. */
export function keyText(number: number): string {
  const publicId = String(number).padStart(16, '0');
  const body = `tg_live_${publicId}_${'s'.repeat(42)}${number % 10}`;
  return `${body}${checksumOf(body)}`;
}

/** A principal as identity answers it: an owner's key on the free plan with every scope. */
export function principal(changes: identityV1.Principal = {}): identityV1.Principal {
  return {
    accountId: 'acc_1',
    accountName: 'Acme',
    accountStatus: 'ACCOUNT_STATUS_ACTIVE',
    keyId: 'key_1',
    keyName: 'first key',
    userId: 'usr_1',
    plan: 'free',
    operator: false,
    role: 'ROLE_OWNER',
    scopes: ['completions', 'models', 'keys', 'billing', 'stats', 'webhooks'],
    ...changes,
  };
}

/** The plan table of the specification. */
export const PLANS = [
  { id: 'free', name: 'Free', requestsPerMinute: 60, requestsPerDay: 1000, concurrentRequests: 5 },
  {
    id: 'smart',
    name: 'Smart',
    requestsPerMinute: 300,
    requestsPerDay: 10_000,
    concurrentRequests: 20,
  },
  {
    id: 'professional',
    name: 'Professional',
    requestsPerMinute: 1000,
    requestsPerDay: 50_000,
    concurrentRequests: 50,
  },
  { id: 'enterprise', name: 'Enterprise', concurrentRequests: 200 },
].map((plan) => ({
  ...plan,
  price: '0',
  currency: 'USD',
  period: 'month',
  includedCredit: '0',
}));

/** A model of the catalogue. */
export function model(changes: routingV1.Model = {}): routingV1.Model {
  return {
    name: 'small-chat',
    description: 'A small model',
    contextLength: 8192,
    maxCompletionTokens: 1024,
    pricing: {
      currency: 'USD',
      prompt: '1000000000',
      completion: '3000000000',
      cachedPrompt: '500000000',
      version: 1,
      effectiveAt: '2026-01-01T00:00:00.000Z',
    },
    capabilities: ['tools'],
    ownedBy: 'tollgate',
    createdAt: '2026-01-01T00:00:00.000Z',
    available: true,
    routing: false,
    ...changes,
  };
}
