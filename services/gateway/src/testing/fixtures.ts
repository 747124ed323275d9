import { createHmac } from 'node:crypto';
import { AppError, apiKeyChecksum, createSystemClock, type ErrorCode } from '@tollgate/core';
import type { completionV1, identityV1, routingV1 } from '@tollgate/protos';
import type { Principal } from '../auth/principal';
import type { StreamFrame } from './fake-services';

/** A well-formed key text; every number gives another one. */
export function keyText(number: number): string {
  const publicId = String(number).padStart(16, '0');
  const body = `tg_live_${publicId}_${'s'.repeat(42)}${number % 10}`;
  return `${body}${apiKeyChecksum(body)}`;
}

/** How another service answers when it refuses whatever it is asked. */
export function refusing(code: ErrorCode): () => Promise<never> {
  return () => Promise.reject(new AppError(code));
}

/** A payment system that the gateway under test believes. */
export const TOP_UP_PROVIDER = 'shop';
const TOP_UP_SECRET = Buffer.alloc(32, 7);
/** The secret as it is configured. */
export const TOP_UP_SECRETS = `${TOP_UP_PROVIDER}:whsec_${TOP_UP_SECRET.toString('base64')}`;

/** The headers with which that system sends the body now. */
export function signTopUp(body: unknown): Readonly<Record<string, string>> {
  const id = 'evt_7';
  const timestamp = String(Math.floor(createSystemClock().now() / 1000));
  const hmac = createHmac('sha256', TOP_UP_SECRET);
  const signature = hmac.update(`${id}.${timestamp}.${JSON.stringify(body)}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}

/** A principal as identity returns it: an owner's key on the free plan with every scope. */
export function principal(changes: identityV1.Principal = {}): identityV1.Principal {
  return {
    accountId: 'acc_1',
    accountName: 'Acme',
    accountStatus: 'ACCOUNT_STATUS_ACTIVE',
    keyId: 'key_1',
    userId: 'usr_1',
    plan: 'free',
    operator: false,
    role: 'ROLE_OWNER',
    scopes: ['completions', 'models', 'keys', 'billing', 'stats', 'webhooks'],
    ...changes,
  };
}

/** A principal as the gateway remembers it: an owner's key without any right. */
export function rememberedPrincipal(changes: Partial<Principal> = {}): Principal {
  return {
    kind: 'api_key',
    accountId: 'acc_1',
    accountName: '',
    keyId: '',
    userId: '',
    plan: 'free',
    suspended: false,
    operator: false,
    role: 'owner',
    scopes: new Set(),
    models: [],
    pools: [],
    grantedGroups: [],
    terms: { limits: undefined, models: [], discount: 0 },
    allowsAddress: undefined,
    expiresAtMs: undefined,
    limits: {},
    budget: undefined,
    ...changes,
  };
}

/** The limits of the four plans that a deployment begins with. */
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
  version: 1,
  changedAt: '2026-01-01T00:00:00.000Z',
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

const CREATED = 1_790_000_000n;

/** The usage of every answer. */
export const USAGE: completionV1.Usage = {
  promptTokens: 5,
  completionTokens: 2,
  totalTokens: 7,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  promptAudioTokens: 0,
  completionAudioTokens: 0,
};

/** An answer with the given text. */
export function answer(
  text: string,
  changes: Partial<completionV1.CompleteResponse> = {},
): completionV1.CompleteResponse {
  const message = { role: 'assistant', content: text };
  return {
    model: 'small-chat',
    choices: Buffer.from(JSON.stringify([{ index: 0, message, finish_reason: 'stop' }])),
    usage: USAGE,
    amount: 123_000n,
    attempts: 1,
    channelId: 'chn_1',
    created: CREATED,
    ...changes,
  };
}

/** The first message of a stream. */
export function head(changes: Partial<completionV1.StreamHead> = {}): StreamFrame {
  const value = { model: 'small-chat', created: CREATED, attempts: 1, channelId: 'chn_1' };
  return { frame: { $case: 'head', value: { ...value, ...changes } } };
}

/** Events that came together. */
export function chunk(...choices: readonly unknown[]): StreamFrame {
  const bytes = choices.map((choice) => Buffer.from(JSON.stringify([choice])));
  return { frame: { $case: 'chunk', value: { choices: bytes } } };
}

/** One event with a piece of text. */
export function delta(content: string): unknown {
  return { index: 0, delta: { content }, finish_reason: null };
}

/** The last message of a stream that ended well, or with the failure. */
export function end(failure?: completionV1.Failure): StreamFrame {
  return { frame: { $case: 'end', value: { usage: USAGE, amount: 123_000n, failure } } };
}

/** A failure with nothing but its code. */
export function failure(
  code: string,
  changes: Partial<completionV1.Failure> = {},
): completionV1.Failure {
  const told = { message: '', param: '', retryAfterMs: 0, retryable: false };
  return { code, ...told, rejected: [], recorded: false, ...changes };
}

/** A request that is valid; the fakes look at `model` alone. */
export function completionInput(model = 'small-chat'): completionV1.CompletionInput {
  return {
    requestId: 'req_1',
    clientRequestId: '',
    caller: {
      accountId: 'acc_1',
      keyId: 'key_1',
      userId: 'usr_1',
      operator: false,
      models: [],
      pools: [],
      grantedGroups: [],
      accountModels: [],
      discount: 0,
      budgetPeriod: 0,
    },
    model,
    messages: Buffer.from('[{"role":"user","content":"hello"}]'),
    parameters: undefined,
    messageCount: 1,
    media: undefined,
    keeping: undefined,
    embedding: undefined,
    limitsLeft: '',
    ignoredMembers: '',
    fallbackModels: [],
    deadlineMs: 0,
    traceparent: '',
  };
}
