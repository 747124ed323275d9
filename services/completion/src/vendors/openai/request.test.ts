import type { VendorCall } from '../../domain/vendor';
import { exampleCall } from '../../testing/vendor-call';
import { buildRequest } from './request';

const bodyOf = (call: VendorCall) => Buffer.concat([...buildRequest(call).body]).toString();

it('sends the client’s messages byte for byte', () => {
  const messages = Buffer.from('[{"content":"\\u00e9 \\/ 1.0e3","role":"user"}]');
  expect(bodyOf(exampleCall({ messages }))).toBe(
    `{"model":"vendor-small","messages":${messages.toString()}}`,
  );
});

it('always asks a stream for its usage', () => {
  expect(JSON.parse(bodyOf(exampleCall({ stream: true })))).toMatchObject({
    stream: true,
    stream_options: { include_usage: true },
  });
});

it('writes the parameters that were given and no others', () => {
  const call = exampleCall({
    maxTokens: 16,
    parameters: {
      temperature: 0,
      topP: 0.5,
      stop: ['"end"'],
      presencePenalty: undefined,
      frequencyPenalty: -2,
      seed: 2n ** 60n,
      user: 'someone',
      capabilityMembers: Buffer.from('{"tools":[{"type":"function"}],"n":2}'),
    },
  });
  expect(bodyOf(call)).toBe(
    '{"model":"vendor-small","messages":[],"temperature":0,"top_p":0.5,"max_tokens":16,' +
      '"stop":["\\"end\\""],"frequency_penalty":-2,"seed":1152921504606846976,"user":"someone",' +
      '"tools":[{"type":"function"}],"n":2}',
  );
});

describe('what differs between vendors of this protocol', () => {
  const callTo = (upstreamName: string, channelChanges = {}) => {
    const { candidate } = exampleCall();
    const channel = { ...candidate.channel, ...channelChanges };
    return exampleCall({ maxTokens: 16, candidate: { ...candidate, channel, upstreamName } });
  };

  it.each([
    ['vendor-small', [], 'max_tokens'],
    ['pogo1', [], 'max_tokens'],
    ['o3-mini', [], 'max_completion_tokens'],
    ['openai/gpt-5', [], 'max_completion_tokens'],
    ['my-deployment', ['max_completion_tokens'], 'max_completion_tokens'],
  ])('bounds the answer of %s (declared: %j) by %s', (upstreamName, capabilities, member) => {
    const body = bodyOf(callTo(upstreamName, { capabilities }));
    expect(JSON.parse(body)).toEqual({ model: upstreamName, messages: [], [member]: 16 });
  });

  it.each([
    ['none', [], {}],
    ['reasoning_content', ['reasoning_content'], { reasoning_content: 'One, two.' }],
  ])(
    'gives thoughts of before back to a channel that declares %s',
    (_what, capabilities, given) => {
      const thinking_blocks = [
        { type: 'thinking', thinking: 'One, ', signature: 'c2lnbmVk' },
        { type: 'thinking', thinking: 'two.', signature: '' },
        { type: 'redacted_thinking', data: 'sealed' },
      ];
      const quoted = { role: 'user', content: '"thinking_blocks":' };
      const said = { role: 'assistant', content: 'Hi' };
      const messages = Buffer.from(JSON.stringify([quoted, { ...said, thinking_blocks }]));
      const body = bodyOf({ ...callTo('vendor-small', { capabilities }), messages });
      expect(JSON.parse(body)).toMatchObject({ messages: [quoted, { ...said, ...given }] });
      expect(body).not.toContain('c2lnbmVk');
    },
  );

  it.each(['https://mine.example/v1', 'https://mine.example/openai?api-version=2024-10-21'])(
    'has no empty key for a channel without a credential: %s',
    (baseUrl) => {
      const { headers } = buildRequest(callTo('small', { baseUrl, credential: '' }));
      expect(headers).not.toHaveProperty('authorization');
      expect(headers).not.toHaveProperty('api-key');
    },
  );

  it('has the deployment in the path, and its key in a header of its own, at Azure', () => {
    const baseUrl = 'https://mine.example/openai?api-version=2024-10-21';
    const { path, headers } = buildRequest(callTo('my deployment', { baseUrl }));
    expect(path).toBe('/deployments/my%20deployment/chat/completions?api-version=2024-10-21');
    expect(headers).toHaveProperty('api-key', 'a credential of a test');
    expect(headers).not.toHaveProperty('authorization');
  });
});
