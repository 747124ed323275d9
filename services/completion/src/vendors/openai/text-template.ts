import { asList, asObject, type JsonObject } from '@tollgate/core';
import { parseObject } from '../protocol/json';

/**
 * An event that carries nothing but text, or nothing but a thought: what stands around it, whose
 * choice it is, and the name that we have for it.
 */
export interface TextTemplate {
  readonly before: string;
  /** Up to the padding, where there is one. */
  readonly after: string;
  readonly isPadded: boolean;
  readonly index: number;
  readonly member: SoleText['member'];
}

/**
 * What OpenAI puts at the end of each event: random text, so that the length of the event does not
 * tell that of its text. It means nothing, and clients do not get it.
 */
const PADDING = ',"obfuscation":"';
const END = '"}';

/** Stands in for the text of an event, to see whether it was found at the right place. */
const PROBE = 'probe of a template';

/**
 * The events of an answer differ in their text only, so the first one is a template for those that
 * follow. Undefined when the event carries anything else, or when its text was not found: the text
 * must be the one string literal that decides what the event says.
 */
export function textTemplateOf(data: string, event: JsonObject): TextTemplate | undefined {
  const spoken = soleText(event);
  if (spoken === undefined || spoken.text === PROBE) return undefined;
  const literal = JSON.stringify(spoken.text);
  const at = data.indexOf(literal, data.indexOf('"delta"'));
  if (at < 0) return undefined;
  const before = data.slice(0, at + 1);
  const rest = data.slice(at + literal.length - 1);
  const probed = soleText(parseObject(before + PROBE + rest) ?? {});
  if (probed?.text !== PROBE) return undefined;
  const { index, member } = spoken;
  const paddedAt = rest.lastIndexOf(PADDING);
  const isPadded = paddedAt >= 0 && isPadding(rest.slice(paddedAt));
  return { before, after: isPadded ? rest.slice(0, paddedAt) : rest, isPadded, index, member };
}

/** The JSON of the text, without its quotes, of an event that follows the template. */
export function textIn(template: TextTemplate, data: string): string | undefined {
  const { before, after, isPadded } = template;
  const end = isPadded ? data.indexOf('"', before.length) : data.length - after.length;
  if (end <= before.length) return undefined;
  const afterEnd = end + after.length;
  // Slices that are compared beat startsWith and endsWith by a factor of three.
  if (data.slice(0, before.length) !== before) return undefined;
  if (data.slice(end, afterEnd) !== after) return undefined;
  if (isPadded && !isPadding(data.slice(afterEnd))) return undefined;
  const text = data.slice(before.length, end);
  return isPlain(text) ? text : undefined;
}

/** The padding, and the end of the event. */
function isPadding(rest: string): boolean {
  const end = rest.length - END.length;
  if (end < PADDING.length) return false;
  if (rest.slice(0, PADDING.length) !== PADDING || rest.slice(end) !== END) return false;
  return isPlain(rest.slice(PADDING.length, end));
}

// Such text is the same in JSON and out of it, and cannot end its literal.
function isPlain(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x20 || unit === 0x22 || unit === 0x5c) return false;
  }
  return true;
}

interface SoleText {
  readonly index: number;
  readonly text: string;
  readonly member: 'content' | 'reasoning_content';
}

function soleText(event: JsonObject): SoleText | undefined {
  const [first, ...others] = asList(event.choices);
  const choice = asObject(first);
  const delta = asObject(choice?.delta);
  if (choice === undefined || delta === undefined || others.length > 0) return undefined;
  const rest = [event.error, choice.finish_reason, delta.refusal, delta.tool_calls];
  if (rest.some((value) => value !== undefined && value !== null)) return undefined;
  if (asObject(event.usage) !== undefined || asObject(choice.logprobs) !== undefined) {
    return undefined;
  }
  const said = [delta.content, delta.reasoning_content, delta.reasoning].filter(Boolean);
  const [text] = said;
  if (typeof text !== 'string' || said.length > 1) return undefined;
  const index = typeof choice.index === 'number' ? choice.index : 0;
  return { index, text, member: text === delta.content ? 'content' : 'reasoning_content' };
}
