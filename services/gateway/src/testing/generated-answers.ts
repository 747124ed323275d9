import type { FinishReason } from '@tollgate/core';
import fc from 'fast-check';

/** One answer of completion, in both forms. */
export interface GeneratedAnswer {
  readonly thoughts: string;
  readonly text: string;
  readonly refusal: string;
  readonly calls: readonly { id: string; name: string; input: Record<string, unknown> }[];
  readonly reason: FinishReason;
  /** `choices` of the whole answer. */
  readonly whole: Buffer;
  /** `choices` of each event of the stream, in batches that came together. */
  readonly batches: readonly (readonly Buffer[])[];
}

/** Answers whose text and arguments are cut anywhere and arrive in any batches. */
export const generatedAnswers: fc.Arbitrary<GeneratedAnswer> = fc
  .record({
    thoughts: fc.array(fc.string({ minLength: 1, unit: 'grapheme' }), { maxLength: 3 }),
    /** Of the thoughts, or of what their vendor keeps to itself. */
    signed: fc.constantFrom('nothing', 'thoughts', 'sealed'),
    texts: fc.array(fc.string({ minLength: 1, unit: 'grapheme' }), { maxLength: 5 }),
    refusals: fc.array(fc.string({ minLength: 1 }), { maxLength: 1 }),
    calls: fc.uniqueArray(
      fc.record({
        id: fc.stringMatching(/^call_[a-z]{1,8}$/),
        name: fc.stringMatching(/^[a-z]{1,8}$/),
        input: fc.dictionary(fc.string(), fc.jsonValue({ noUnicodeString: false }), { maxKeys: 3 }),
        cut: fc.nat(),
      }),
      { maxLength: 3, selector: ({ id }) => id },
    ),
    reason: fc.constantFrom<FinishReason>('stop', 'length', 'content_filter', 'tool_calls'),
    batchSize: fc.integer({ min: 1, max: 4 }),
  })
  .map(({ thoughts, signed, texts, refusals, calls, reason, batchSize }) => {
    const blocks = blocksOf(thoughts.join(''), signed);
    const written = calls.map((call) => ({ ...call, arguments: JSON.stringify(call.input) }));
    const message = {
      role: 'assistant',
      content: texts.length === 0 ? null : texts.join(''),
      ...(thoughts.length === 0 ? {} : { reasoning_content: thoughts.join('') }),
      ...(blocks.length === 0 ? {} : { thinking_blocks: blocks }),
      ...(refusals.length === 0 ? {} : { refusal: refusals.join('') }),
      tool_calls: written.map(({ id, name, arguments: text }) => ({
        id,
        type: 'function',
        function: { name, arguments: text },
      })),
    };
    const events = [
      eventOf({ role: 'assistant', content: '' }),
      ...thoughts.map((reasoning_content) => eventOf({ reasoning_content })),
      ...blocks.map((block) =>
        eventOf({ thinking_blocks: ['data' in block ? block : { ...block, thinking: '' }] }),
      ),
      ...texts.map((content) => eventOf({ content })),
      ...refusals.map((refusal) => eventOf({ refusal })),
      ...written.flatMap(({ id, name, arguments: text, cut }, index) => {
        const at = cut % (text.length + 1);
        const opening = { index, id, type: 'function', function: { name, arguments: '' } };
        return [opening, stepOf(index, text.slice(0, at)), stepOf(index, text.slice(at))].map(
          (call) => eventOf({ tool_calls: [call] }),
        );
      }),
      eventOf({}, reason),
    ];
    return {
      thoughts: thoughts.join(''),
      text: texts.join(''),
      refusal: refusals.join(''),
      // As JSON says them: it knows no negative zero.
      calls: written.map(({ id, name, arguments: text }) => ({
        id,
        name,
        input: JSON.parse(text) as Record<string, unknown>,
      })),
      reason,
      whole: Buffer.from(JSON.stringify([{ index: 0, message, finish_reason: reason }])),
      batches: batchesOf(events, batchSize),
    };
  });

function blocksOf(text: string, signed: string) {
  const sealed = { type: 'redacted_thinking', data: 'c2VhbGVk' } as const;
  const thought = { type: 'thinking', thinking: text, signature: 'c2lnbmVk' } as const;
  if (signed === 'nothing') return [];
  if (signed === 'sealed') return text === '' ? [sealed] : [thought, sealed];
  return text === '' ? [] : [thought];
}

/** `choices` of one event. */
export function eventOf(delta: object, reason: FinishReason | null = null): Buffer {
  return Buffer.from(JSON.stringify([{ index: 0, delta, finish_reason: reason }]));
}

function stepOf(index: number, text: string) {
  return { index, function: { arguments: text } };
}

function batchesOf(events: readonly Buffer[], size: number): readonly (readonly Buffer[])[] {
  const batches: Buffer[][] = [];
  for (let at = 0; at < events.length; at += size) batches.push(events.slice(at, at + size));
  return batches;
}

/** One event of a stream that names its events. */
export interface TypedEvent {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>> & { readonly type: string };
}

/** Reads frames as a client does; every one has exactly a name and data. */
export function readTypedEvents(text: string): readonly TypedEvent[] {
  return text
    .split('\n\n')
    .slice(0, -1)
    .map((frame) => {
      const [, event = '', data = ''] = /^event: (\S+)\ndata: ([^\n]*)$/.exec(frame) ?? [];
      return { event, data: JSON.parse(data) as TypedEvent['data'] };
    });
}
