import { ZERO_NANO } from '@tollgate/core';
import { type VendorCall, VendorFailure } from '../domain/vendor';

/** A call of `small` through a channel without timeouts of its own. */
export function exampleCall(changes: Partial<VendorCall> = {}): VendorCall {
  const prices = { prompt: ZERO_NANO, completion: ZERO_NANO, cachedPrompt: ZERO_NANO };
  const call: Omit<VendorCall, 'promptWeight'> = {
    candidate: {
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
          connectMs: 0,
          headMs: 0,
          wholeHeadMs: 0,
          firstTokenMs: 0,
          idleMs: 0,
          totalMs: 0,
        },
        capabilities: [],
        firstTokenMs: null,
      },
      model: {
        name: 'small',
        kind: 'chat' as const,
        completionTokensMax: 1000,
        contextTokensMax: 0,
        vendorTokensMax: 0,
        prices,
        priceVersion: 1,
        currency: 'EUR',
      },
      upstreamName: 'vendor-small',
      healthy: true,
      position: 0,
    },
    requestId: 'req_1',
    accountId: 'acc_1',
    queueWait: { ms: 0 },
    onTurn() {},
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
    embedding: undefined,
    ...changes,
  };
  const promptWeight = call.messages.length + call.parameters.capabilityMembers.length;
  return { promptWeight, ...call };
}

/** A call as the gateway sends it: a conversation, and the members that only some vendors can serve. */
export function chatCall(
  messages: readonly unknown[],
  members: Readonly<Record<string, unknown>> = {},
  changes: Partial<VendorCall> = {},
): VendorCall {
  const { parameters } = exampleCall(changes);
  const capabilityMembers = Buffer.from(JSON.stringify(members));
  return exampleCall({
    messages: Buffer.from(JSON.stringify(messages)),
    ...changes,
    parameters: { ...parameters, capabilityMembers },
  });
}

/** A conversation with everything in it that the canonical form knows. */
export const CONVERSATION: readonly unknown[] = [
  { role: 'system', content: 'Be brief.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Is this Zürich?' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0K' } },
      { type: 'image_url', image_url: { url: 'https://pictures.example/town.jpg?size=2' } },
    ],
  },
  {
    role: 'assistant',
    content: 'Let me look.',
    tool_calls: [
      {
        id: 'call:1',
        type: 'function',
        function: { name: 'weather', arguments: '{"town":"Zürich"}' },
      },
      { id: 'call_2', type: 'function', function: { name: 'now', arguments: '' } },
    ],
  },
  { role: 'tool', tool_call_id: 'call:1', content: '{"sky":"blue"}' },
  { role: 'tool', tool_call_id: 'call_2', content: 'noon' },
  { role: 'user', content: 'And?' },
  { role: 'assistant', content: '' },
  { role: 'system', content: 'Answer in German.' },
];

/** Declarations of tools, one with everything and one with nothing. */
export const TOOLS = [
  {
    type: 'function',
    function: {
      name: 'weather',
      description: 'The weather of a town.',
      parameters: { type: 'object', properties: { town: { type: 'string' } } },
      strict: true,
    },
  },
  { type: 'function', function: { name: 'now' } },
];

/** The failure that a step of an adapter throws. */
export function failureIn(step: () => unknown): VendorFailure {
  try {
    step();
  } catch (error) {
    if (error instanceof VendorFailure) return error;
    throw error;
  }
  throw new Error('did not fail');
}
