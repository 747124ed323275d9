import { REAL_CHANNEL_TYPES, type RealChannelType } from '@tollgate/core';
import { piecesOf, startVendorClient } from '../testing/start-vendor-client';
import { answerJson, beginStream, sse } from '../testing/vendor-server';

const SPOKEN = 'word '.repeat(2_000);
const WORDS_MAX = 32 + 2 * 16;
const SIGNAL = new AbortController().signal;

const candidate = (text: string) => ({
  candidates: [{ content: { parts: [{ text }] }, index: 0 }],
});

/** What a vendor says before its text, for each piece of it, and as a whole. */
const PROTOCOLS: Readonly<
  Record<
    RealChannelType,
    {
      readonly opening: readonly object[];
      piece(text: string): object;
      whole(text: string): object;
    }
  >
> = {
  openai: {
    opening: [],
    piece: (content) => ({ choices: [{ index: 0, delta: { content }, finish_reason: null }] }),
    whole: (content) => ({
      choices: [{ index: 0, message: { content }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 3, completion_tokens: 2_000 },
    }),
  },
  anthropic: {
    opening: [{ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }],
    piece: (text) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text },
    }),
    whole: (text) => ({
      type: 'message',
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 3, output_tokens: 2_000 },
    }),
  },
  gemini: {
    opening: [],
    piece: candidate,
    whole: (text) => ({
      ...candidate(text),
      usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2_000 },
    }),
  },
};

const started: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of started.splice(0)) await each.close();
});

async function start(type: RealChannelType) {
  const client = await startVendorClient({
    type,
    answerBytesMax: 1_000_000,
    heldBytesMax: 1_000_000,
  });
  started.push(client);
  return client;
}

const wordsOf = (text: string) => text.split(' ').filter((word) => word !== '').length;

describe.each(REAL_CHANNEL_TYPES)(
  'a vendor of the protocol %s that goes on past max_tokens',
  (type) => {
    const protocol = PROTOCOLS[type];

    it.each([
      ['word by word', 'word '],
      ['all at once', SPOKEN.slice(0, 8_000)],
    ])('is cut in a stream that comes %s, and its work is ended', async (_how, piece) => {
      const { call, client, wentPastAsked, vendor } = await start(type);
      vendor.script = (_seen, response) => {
        beginStream(response);
        for (const event of protocol.opening) response.write(sse(event));
        const pump = () => {
          while (!response.destroyed && response.write(sse(protocol.piece(piece))));
          response.once('drain', pump);
        };
        pump();
      };
      const stream = await client.stream(call({ stream: true, maxTokens: 16 }), SIGNAL);
      const pieces = await piecesOf(stream);
      const text = pieces.map((piece) => (piece.kind === 'delta' ? piece.text : '')).join('');
      expect(wordsOf(text)).toBe(WORDS_MAX);
      expect(pieces.at(-1)).toMatchObject({ kind: 'finish', reason: 'length' });
      await vendor.seen[0]?.gone;
      expect(wentPastAsked).toEqual(['chn_1']);
    });

    it('is cut in a whole answer, whose count is not believed', async () => {
      const { call, client, wentPastAsked, vendor } = await start(type);
      vendor.script = (_seen, response) => answerJson(response, protocol.whole(SPOKEN));
      const completion = await client.complete(call({ maxTokens: 16 }), SIGNAL);
      expect(wordsOf(completion.text)).toBe(WORDS_MAX);
      expect(completion).toMatchObject({ finishReason: 'length', usage: undefined });
      expect(JSON.parse(completion.choices.toString())).toEqual([
        {
          index: 0,
          message: { role: 'assistant', content: completion.text },
          finish_reason: 'length',
        },
      ]);
      expect(wentPastAsked).toEqual(['chn_1']);
    });

    it('is left alone as long as it keeps to it', async () => {
      const { call, client, wentPastAsked, vendor } = await start(type);
      const asked = 'word '.repeat(16);
      vendor.script = (_seen, response) => answerJson(response, protocol.whole(asked));
      expect(await client.complete(call({ maxTokens: 16 }), SIGNAL)).toMatchObject({ text: asked });
      expect(wentPastAsked).toEqual([]);
    });
  },
);

it('in one of two choices leaves the other one its end', async () => {
  const { call, client, wentPastAsked, vendor } = await start('openai');
  const chunk = (index: number, content: string, finish_reason: string | null = null) =>
    sse({ choices: [{ index, delta: { content }, finish_reason }] });
  vendor.script = (_seen, response) => {
    beginStream(response);
    response.write(chunk(0, 'word '.repeat(500)) + chunk(1, 'Hel') + chunk(0, 'more'));
    response.end(chunk(1, 'lo', 'stop') + sse({ choices: [], usage: {} }) + sse('[DONE]'));
  };
  const asked = call({ stream: true, maxTokens: 16, choices: 2 });
  const pieces = await piecesOf(await client.stream(asked, SIGNAL));
  const textAt = (choice: number) =>
    pieces
      .map((piece) => (piece.kind === 'delta' && piece.choice === choice ? piece.text : ''))
      .join('');
  expect([wordsOf(textAt(0)), textAt(1)]).toEqual([WORDS_MAX, 'Hello']);
  expect(pieces.filter(({ kind }) => kind === 'finish')).toMatchObject([
    { choice: 0, reason: 'length' },
    { choice: 1, reason: 'stop' },
  ]);
  expect(wentPastAsked).toEqual(['chn_1']);
});
