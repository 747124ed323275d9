import type { CompletionRequest } from '../domain/completion-request';
import { type CountTokens, countPromptStepwise } from '../domain/token-count';

type Encoding = typeof import('gpt-tokenizer/encoding/o200k_base');

// Text that looks like a control token is text: without this the tokenizer throws on it.
const NOTHING_DISALLOWED = { disallowedSpecial: new Set<string>() };
/** Pieces that are counted before other requests get a turn: about two milliseconds of work. */
const PIECES_PER_TURN = 16;

/**
 * Counts with the o200k vocabulary. It is loaded at the first count, because it takes a tenth of a
 * second that a start should not wait for.
 */
export function createTokenCounter(): CountTokens {
  let encoding: Encoding | undefined;
  return (text) => {
    encoding ??= require('gpt-tokenizer/encoding/o200k_base') as Encoding;
    return encoding.countTokens(text, NOTHING_DISALLOWED);
  };
}

/** Counts a prompt in turns, so that a long one stops nobody. */
export async function countPromptInTurns(
  count: CountTokens,
  request: CompletionRequest,
): Promise<number> {
  const { capabilityMembers } = request.parameters;
  const steps = countPromptStepwise(count, request.messages, capabilityMembers);
  for (let piece = 1; ; piece += 1) {
    const step = steps.next();
    if (step.done) return step.value;
    if (piece % PIECES_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}
