import { nano, REAL_CHANNEL_TYPES, type RealChannelType } from '@tollgate/core';
import { createFakeClock } from '@tollgate/testkit';
import { createRouteTable } from '../routing/route-table';
import { createRunFixture, exampleRequest } from '../testing/run-fixture';
import { startVendorClient } from '../testing/start-vendor-client';
import { answerJson, beginStream, sse } from '../testing/vendor-server';
import { complete } from './complete';

/** What every vendor of these tests says of the prompt, most of which it had in its cache. */
const PROMPT = 1_500;
const CACHED = 1_200;
/** What the fake tokenizer makes of the 64 words that are passed on when 16 tokens were asked for. */
const DELIVERED = 65;
const PRICES = {
  prompt: nano(1_000_000n),
  completion: nano(1_000_000n),
  cachedPrompt: nano(100_000n),
};
const CHARGED = {
  usage: { promptTokens: PROMPT, cachedTokens: CACHED, completionTokens: DELIVERED },
  amount: nano(BigInt(PROMPT - CACHED + CACHED / 10 + DELIVERED)),
};

const words = (count: number) => 'word '.repeat(count);

const openaiUsage = (completion_tokens: number) => ({
  usage: {
    prompt_tokens: PROMPT,
    completion_tokens,
    prompt_tokens_details: { cached_tokens: CACHED },
  },
});
const anthropicUsage = (output_tokens: number) => ({
  input_tokens: PROMPT - CACHED,
  cache_read_input_tokens: CACHED,
  output_tokens,
});
const anthropicText = (text: string) => ({
  type: 'content_block_delta',
  index: 0,
  delta: { type: 'text_delta', text },
});
const anthropicStart = { type: 'message_start', message: { usage: anthropicUsage(1) } };
const anthropicBlock = {
  type: 'content_block_start',
  index: 0,
  content_block: { type: 'text', text: '' },
};
const geminiUsage = (candidatesTokenCount: number) => ({
  usageMetadata: {
    promptTokenCount: PROMPT,
    candidatesTokenCount,
    cachedContentTokenCount: CACHED,
  },
});

/** An event with text, and with the count of so many tokens when there is one. */
const openaiEvent = (content: string, counted?: number) => ({
  choices: [{ index: 0, delta: { content }, finish_reason: null }],
  ...(counted === undefined ? {} : openaiUsage(counted)),
});
const geminiEvent = (text: string, counted?: number) => ({
  candidates: [{ content: { parts: [{ text }] }, index: 0 }],
  ...(counted === undefined ? {} : geminiUsage(counted)),
});

type Event = (text: string, counted?: number) => object;
const streamsOf = (event: Event) => ({
  'in the event that is cut': [event(words(2_000), 2_000)],
  'in every event': Array.from({ length: 20 }, (_, at) => event(words(10), 10 * (at + 1))),
  'in an early event only': [event('word ', 1), event(words(2_000))],
});

const STREAMS: Readonly<Record<RealChannelType, Readonly<Record<string, readonly object[]>>>> = {
  openai: streamsOf(openaiEvent),
  anthropic: {
    'at the start only': [anthropicStart, anthropicBlock, anthropicText(words(2_000))],
    'after every event': [
      anthropicStart,
      anthropicBlock,
      ...Array.from({ length: 20 }, (_, at) => [
        anthropicText(words(10)),
        { type: 'message_delta', delta: {}, usage: { output_tokens: 10 * (at + 1) } },
      ]).flat(),
    ],
    'with an end that comes before its text': [
      anthropicStart,
      anthropicBlock,
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn' },
        usage: { output_tokens: 2_000 },
      },
      anthropicText(words(2_000)),
    ],
  },
  gemini: streamsOf(geminiEvent),
};

const WHOLE: Readonly<Record<RealChannelType, object>> = {
  openai: {
    choices: [{ index: 0, message: { content: words(2_000) }, finish_reason: 'stop' }],
    ...openaiUsage(2_000),
  },
  anthropic: {
    type: 'message',
    content: [{ type: 'text', text: words(2_000) }],
    stop_reason: 'end_turn',
    usage: anthropicUsage(2_000),
  },
  gemini: geminiEvent(words(2_000), 2_000),
};

const started: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of started.splice(0)) await each.close();
});

/** The real client of a vendor, behind the real run. */
async function start(type: RealChannelType) {
  const vendor = await startVendorClient({
    type,
    answerBytesMax: 1_000_000,
    heldBytesMax: 1_000_000,
  });
  started.push(vendor);
  const fixture = await createRunFixture(createFakeClock());
  const { channel, model } = vendor.call().candidate;
  const table = createRouteTable(
    [channel],
    [{ ...model, completionTokensMax: 4_000, prices: PRICES }],
  );
  const changes = { vendors: vendor.client, routeTable: () => table };
  const messages = Buffer.from(JSON.stringify([{ role: 'user', content: 'x'.repeat(4_000) }]));
  const request = exampleRequest({ messages, maxTokens: 16 });
  return { changes, fixture, request, server: vendor.vendor };
}

describe.each(REAL_CHANNEL_TYPES)(
  'an answer of the protocol %s that is cut past max_tokens',
  (type) => {
    it.each(Object.entries(STREAMS[type]))(
      'as a stream with counts %s costs the vendor’s prompt and what was delivered',
      async (_where, events) => {
        const { changes, fixture, request, server } = await start(type);
        server.script = (_seen, response) => {
          beginStream(response);
          response.write(events.map(sse).join(''));
        };
        const { out, over } = fixture.stream(request, changes);
        await over;
        expect(out.failure).toBeUndefined();
        expect(out).toMatchObject(CHARGED);
        expect(fixture.onlyRecord()).toMatchObject({ source: 'counted', amount: CHARGED.amount });
      },
    );

    it('given whole costs the same', async () => {
      const { changes, fixture, request, server } = await start(type);
      server.script = (_seen, response) => answerJson(response, WHOLE[type]);
      const answer = await complete({ ...fixture.deps, ...changes }, request);
      answer.release();
      expect(answer).toMatchObject(CHARGED);
      expect(fixture.onlyRecord()).toMatchObject({ source: 'counted', amount: CHARGED.amount });
    });
  },
);
