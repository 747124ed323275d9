import { asList, asObject, type JsonObject } from '@tollgate/core';
import { parseObject } from '../protocol/json';

/**
 * An event that carries nothing but text, or nothing but a thought: what stands around it, whose
 * choice it is, and the name that we have for it.
 */
export interface TextTemplate {
  readonly before: string;
  readonly after: string;
  readonly index: number;
  readonly member: SoleText['member'];
}

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
  const after = data.slice(at + literal.length - 1);
  const probed = soleText(parseObject(before + PROBE + after) ?? {});
  const { index, member } = spoken;
  return probed?.text === PROBE ? { before, after, index, member } : undefined;
}

/** The JSON of the text, without its quotes, of an event that follows the template. */
export function textIn({ before, after }: TextTemplate, data: string): string | undefined {
  const end = data.length - after.length;
  if (end <= before.length) return undefined;
  // Slices that are compared beat startsWith and endsWith by a factor of three.
  if (data.slice(0, before.length) !== before || data.slice(end) !== after) return undefined;
  const text = data.slice(before.length, end);
  return isPlain(text) ? text : undefined;
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
