import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { serveThread } from '../threads/serve-thread';
import { countTexts } from './count';
import { countPromptText } from './count-prompt';

/** A request to the thread. */
export type TokenQuestion =
  | { readonly kind: 'answer'; readonly texts: readonly string[] }
  | {
      readonly kind: 'prompt';
      readonly messages: Uint8Array;
      readonly capabilityMembers: Uint8Array;
    };

// Text that looks like a control token is text: without this the tokenizer throws on it.
const NOTHING_DISALLOWED = { disallowedSpecial: new Set<string>() };
const count = (text: string) => countTokens(text, NOTHING_DISALLOWED);

function tokensOf(question: TokenQuestion): number {
  if (question.kind === 'answer') {
    return countTexts(count, question.texts, Math.random);
  }
  return countPromptText(
    count,
    Buffer.from(question.messages),
    Buffer.from(question.capabilityMembers),
    Math.random,
  );
}

serveThread(tokensOf);
