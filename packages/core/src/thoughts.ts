import { asText, type JsonObject } from './json';

/**
 * What a model thought before an answer: text with the signature of its vendor, empty where it signs
 * none, or what its vendor keeps to itself. To be sent back as it came: a vendor refuses a signature
 * under another text.
 */
export type Thought =
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string };

/** A block of a message as a thought; what has another form is taken for an empty one. */
export function thoughtOf({ type, data, thinking, signature }: JsonObject): Thought {
  return type === 'redacted_thinking'
    ? { type, data: asText(data) }
    : { type: 'thinking', thinking: asText(thinking), signature: asText(signature) };
}

/** Their text, as far as it may be read. */
export function textOfThoughts(thoughts: readonly Thought[]): string {
  return thoughts.map((each) => (each.type === 'thinking' ? each.thinking : '')).join('');
}

/** All of them, or none: signatures are of no use where some are missing. */
export function signedThoughts(thoughts: readonly Thought[]): readonly Thought[] {
  const isSigned = thoughts.every((each) => each.type !== 'thinking' || each.signature !== '');
  return isSigned ? thoughts : [];
}
