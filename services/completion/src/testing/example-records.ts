import { nano, ZERO_NANO } from '@tollgate/core';
import type { RequestOutcome, RequestStart } from '../usage/record';

/** A request as its BEGIN has it: one nano-unit per token. */
export function exampleStart(changes: Partial<RequestStart> = {}): RequestStart {
  return {
    requestId: 'req_1',
    clientRequestId: null,
    accountId: 'acc_1',
    lease: 1,
    keyId: 'key_1',
    userId: null,
    model: 'small',
    requestedModel: 'small',
    channelId: 'chn_1',
    ownChannel: false,
    priceVersion: 1,
    prices: {
      prompt: nano(1_000_000n),
      completion: nano(1_000_000n),
      cachedPrompt: nano(1_000_000n),
    },
    reserved: nano(100n),
    stream: true,
    startedAtMs: Date.UTC(2026, 0, 1),
    budget: null,
    ...changes,
  };
}

/** How such a request ended. */
export function exampleOutcome(changes: Partial<RequestOutcome> = {}): RequestOutcome {
  return {
    promptTokens: 3,
    completionTokens: 4,
    cachedTokens: 0,
    cacheWriteTokens: null,
    reasoningTokens: null,
    amount: nano(7n),
    source: 'exact',
    reason: 'stop',
    status: 'succeeded',
    errorCode: null,
    attempts: 1,
    latencyMs: 10,
    firstTokenMs: 5,
    endedAtMs: Date.UTC(2026, 0, 1),
    vendorAbsorbed: ZERO_NANO,
    ...changes,
  };
}
