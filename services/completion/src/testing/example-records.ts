import { nano, type UsageOutcome, type UsageStart, ZERO_NANO } from '@tollgate/core';

/** A request as its BEGIN has it: one nano-unit per token. */
export function exampleStart(changes: Partial<UsageStart> = {}): UsageStart {
  return {
    requestId: 'req_1',
    clientRequestId: undefined,
    accountId: 'acc_1',
    lease: 1,
    keyId: 'key_1',
    userId: undefined,
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
    startedAt: '2026-01-01T00:00:00.000Z',
    budget: undefined,
    ...changes,
  };
}

/** How such a request ended. */
export function exampleOutcome(changes: Partial<UsageOutcome> = {}): UsageOutcome {
  return {
    promptTokens: 3,
    completionTokens: 4,
    cachedTokens: 0,
    amount: nano(7n),
    source: 'exact',
    reason: 'stop',
    status: 'succeeded',
    errorCode: undefined,
    attempts: 1,
    failedAttempts: undefined,
    latencyMs: 10,
    firstTokenMs: 5,
    endedAt: '2026-01-01T00:00:00.000Z',
    vendorAbsorbed: ZERO_NANO,
    ...changes,
  };
}
