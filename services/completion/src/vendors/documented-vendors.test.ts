import { join } from 'node:path';
import { REAL_CHANNEL_TYPES, type RealChannelType } from '@tollgate/core';
import { expectGeneratedBlock, toAlignedTable } from '@tollgate/testkit';
import type { VendorCall } from '../domain/vendor';
import { findInexpressibleIn } from '../domain/vendor-abilities';
import { CONVERSATION, chatCall, exampleCall, TOOLS } from '../testing/vendor-call';
import { anthropicProtocol } from './anthropic/index';
import { geminiProtocol } from './gemini/index';
import { openaiProtocol } from './openai/index';
import type { VendorProtocol } from './protocol/vendor-protocol';

const PAGE = join(__dirname, '../../../../docs/vendors.md');
const PROTOCOLS: Readonly<Record<RealChannelType, VendorProtocol>> = {
  openai: openaiProtocol,
  anthropic: anthropicProtocol,
  gemini: geminiProtocol,
};

const HI = [{ role: 'user', content: 'Hi' }];
const PLAIN = chatCall(HI);
const { parameters } = exampleCall();

const withParameters = (changes: Partial<VendorCall['parameters']>): VendorCall => ({
  ...PLAIN,
  parameters: { ...PLAIN.parameters, ...parameters, ...changes },
});
const said = (part: unknown) => chatCall([{ role: 'user', content: [part] }]);
const image = (url: string) => said({ type: 'image_url', image_url: { url } });
const format = (settings: object) => chatCall(HI, { response_format: settings });
const schema = { name: 'a', schema: { type: 'object' } };

const unthought = [...HI, { role: 'assistant', content: 'Hm' }, ...HI];
const thinking_blocks = [{ type: 'thinking', thinking: 'x', signature: 'c2lnbmVk' }];
const thought = unthought.map((each) =>
  each.role === 'assistant' ? { ...each, thinking_blocks } : each,
);

/** A call that asks for the member, and the same call without it. */
const ROWS: Readonly<Record<string, readonly [asking: VendorCall, without: VendorCall]>> = {
  '`messages` with instructions': [
    chatCall([{ role: 'system', content: 'Be brief.' }, ...HI]),
    PLAIN,
  ],
  '`messages` with an image as a data URL': [image('data:image/png;base64,iVBORw0K'), PLAIN],
  '`messages` with the address of an image': [image('https://x.example/y.png'), PLAIN],
  '`messages` with a file as a data URL': [
    said({ type: 'file', file: { file_data: 'data:application/pdf;base64,JVBERi0x' } }),
    PLAIN,
  ],
  '`messages` with results of tools': [chatCall(CONVERSATION), PLAIN],
  '`max_tokens`': [{ ...PLAIN, maxTokens: 5 }, PLAIN],
  '`temperature` up to 1': [withParameters({ temperature: 0.5 }), PLAIN],
  '`temperature` above 1': [withParameters({ temperature: 1.5 }), PLAIN],
  '`top_p`': [withParameters({ topP: 0.5 }), PLAIN],
  '`top_p` beside `temperature`': [withParameters({ temperature: 0.5, topP: 0.5 }), PLAIN],
  '`stop`': [withParameters({ stop: ['end'] }), PLAIN],
  '`presence_penalty`': [withParameters({ presencePenalty: 1 }), PLAIN],
  '`frequency_penalty`': [withParameters({ frequencyPenalty: 1 }), PLAIN],
  '`seed`': [withParameters({ seed: 7n }), PLAIN],
  '`user`': [withParameters({ user: 'someone' }), PLAIN],
  '`n` above 1': [chatCall(HI, { n: 2 }, { choices: 2 }), PLAIN],
  '`cache_control` of parts and tools': [
    withParameters({ cacheMarks: [{ message: 0, end: 0 }] }),
    PLAIN,
  ],
  '`tools`': [chatCall(HI, { tools: TOOLS }), PLAIN],
  '`tool_choice`': [
    chatCall(HI, { tools: TOOLS, tool_choice: 'required' }),
    chatCall(HI, { tools: TOOLS }),
  ],
  '`parallel_tool_calls: false`': [
    chatCall(HI, { tools: TOOLS, parallel_tool_calls: false }),
    chatCall(HI, { tools: TOOLS }),
  ],
  '`response_format` of any JSON': [format({ type: 'json_object' }), PLAIN],
  '`response_format` with a schema': [format({ type: 'json_schema', json_schema: schema }), PLAIN],
  '`logprobs`': [chatCall(HI, { logprobs: true }), PLAIN],
  '`logit_bias`': [chatCall(HI, { logit_bias: { 5: 1 } }), PLAIN],
  '`reasoning_effort` low to high': [chatCall(HI, { reasoning_effort: 'low' }), PLAIN],
  '`reasoning_effort: minimal`': [chatCall(HI, { reasoning_effort: 'minimal' }), PLAIN],
  '`reasoning_effort: xhigh`': [chatCall(HI, { reasoning_effort: 'xhigh' }), PLAIN],
  '`reasoning_effort: none`': [chatCall(HI, { reasoning_effort: 'none' }), PLAIN],
  '`thinking: disabled` of Messages': [withParameters({ thinkingBudget: 0 }), PLAIN],
  'thoughts of before in `messages`': [chatCall(thought), chatCall(unthought)],
};

function treatmentOf(type: RealChannelType, [asking, without]: (typeof ROWS)[string]) {
  if (findInexpressibleIn(asking.parameters)(type) !== undefined) return '400';
  const bodyOf = (call: VendorCall) =>
    Buffer.concat([...PROTOCOLS[type].buildRequest(call).body]).toString();
  return bodyOf(asking) === bodyOf(without) ? 'hint' : 'sent';
}

it('docs/vendors.md says of every member what each adapter does with it', () => {
  const rows = Object.entries(ROWS).map(([member, row]) => [
    member,
    ...REAL_CHANNEL_TYPES.map((type) => treatmentOf(type, row)),
  ]);
  const table = toAlignedTable(['member', ...REAL_CHANNEL_TYPES], rows);
  expectGeneratedBlock(PAGE, 'what each protocol can express', table);
});
