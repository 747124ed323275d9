import { ZERO_NANO } from '@tollgate/core';
import type { VendorCall } from '../domain/vendor';

/** A call of `small` through a channel without bounds of its own. */
export function exampleCall(changes: Partial<VendorCall> = {}): VendorCall {
  const prices = { prompt: ZERO_NANO, completion: ZERO_NANO, cachedPrompt: ZERO_NANO };
  return {
    offer: {
      channel: {
        id: 'chn_1',
        name: 'one',
        type: 'openai',
        baseUrl: 'http://127.0.0.1/v1',
        credential: 'a credential of a test',
        models: [{ name: 'small', upstreamName: 'vendor-small', healthy: true }],
        groups: [],
        ownerAccountId: null,
        priority: 0,
        weight: 1,
        concurrencyMax: 0,
        timeouts: {
          ...{ connectMs: 0, headMs: 0, wholeHeadMs: 0 },
          ...{ firstTokenMs: 0, idleMs: 0, totalMs: 0 },
        },
        capabilities: [],
        firstTokenMs: null,
      },
      model: {
        ...{ name: 'small', completionTokensMax: 1000, contextTokensMax: 0 },
        ...{ prices, priceVersion: 1 },
      },
      upstreamName: 'vendor-small',
      healthy: true,
      position: 0,
    },
    requestId: 'req_1',
    messages: Buffer.from('[]'),
    parameters: {
      temperature: undefined,
      topP: undefined,
      stop: [],
      presencePenalty: undefined,
      frequencyPenalty: undefined,
      seed: undefined,
      user: '',
      capabilityMembers: Buffer.alloc(0),
    },
    maxTokens: undefined,
    choices: 1,
    stream: false,
    ...changes,
  };
}
