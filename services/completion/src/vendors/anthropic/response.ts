import {
  asList,
  asObject,
  asText,
  type JsonObject,
  signedThoughts,
  type Thought,
  textOfThoughts,
} from '@tollgate/core';
import type { VendorCall, VendorCompletion } from '../../domain/vendor';
import type { VendorUsage } from '../../domain/vendor-usage';
import { writeCompletion } from '../protocol/answer-form';
import { unreadable } from '../protocol/failures';
import type { Thoughts } from '../protocol/thoughts';
import { readAnswer } from '../protocol/whole-reader';

/** Reads a whole message and writes it in our form. */
export function parseCompletion(body: Buffer, call: VendorCall): VendorCompletion {
  const message = readAnswer(body);
  if (message.type !== 'message' || !Array.isArray(message.content)) {
    throw unreadable('the vendor answered something that is no message');
  }
  const blocks = asList(message.content).map((block) => asObject(block) ?? {});
  const text = blocks.filter(({ type }) => type === 'text').map((block) => asText(block.text));
  const calls = blocks
    .filter(({ type }) => type === 'tool_use')
    .map((block) => ({
      id: asText(block.id),
      name: asText(block.name),
      arguments: JSON.stringify(asObject(block.input) ?? {}),
    }));
  const reason = asText(message.stop_reason);
  const thoughts = thoughtsOf(blocks.flatMap(thoughtOf));
  return writeCompletion(
    call,
    [{ index: 0, thoughts, text: text.join(''), calls, reason }],
    vendorUsageOf(asObject(message.usage)),
  );
}

/** The thought that a block is. */
export function thoughtOf(block: JsonObject): readonly Thought[] {
  const { type, thinking, signature, data } = block;
  if (type === 'redacted_thinking') return [{ type, data: asText(data) }];
  if (type !== 'thinking') return [];
  return [{ type, thinking: asText(thinking), signature: asText(signature) }];
}

/** Not every vendor of the protocol signs. */
function thoughtsOf(said: readonly Thought[]): Thoughts {
  return { text: textOfThoughts(said), signed: signedThoughts(said) };
}

/**
 * The vendor counts what it read from its cache, and what it wrote there, beside the prompt; we
 * count them in it. A part that is no number makes the sum NaN, and such a report is not believed.
 */
export function vendorUsageOf(usage: JsonObject | undefined): VendorUsage | undefined {
  if (usage === undefined) return undefined;
  const read = usage.cache_read_input_tokens ?? 0;
  const cacheWrite = usage.cache_creation_input_tokens ?? undefined;
  const parts = [usage.input_tokens, cacheWrite ?? 0, read];
  const prompt = parts.reduce(
    (sum: number, part) => (typeof part === 'number' && part >= 0 ? sum + part : Number.NaN),
    0,
  );
  const reasoning = asObject(usage.output_tokens_details)?.thinking_tokens;
  return { prompt, completion: usage.output_tokens, cached: read, cacheWrite, reasoning };
}
