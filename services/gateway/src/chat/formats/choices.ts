import { FINISH_REASONS, type FinishReason, isObject, type JsonObject } from '@tollgate/core';
import { type CanonicalThought, plainThoughts } from './thoughts';

/** The first choice of a whole answer; a format that has one answer asks for no more. */
export interface ReadAnswer {
  /** In their order; the signature of one that its vendor did not sign is empty. */
  readonly thoughts: readonly CanonicalThought[];
  /** Empty when nothing was said. */
  readonly text: string;
  readonly refusal: string;
  readonly calls: readonly ReadCall[];
  readonly reason: FinishReason;
}

/** A call of a tool; `arguments` is the text that the model wrote, JSON when it is whole. */
export interface ReadCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** Reads completion's `choices` of a whole answer. */
export function readChoices(requestId: string, choices: Buffer): ReadAnswer {
  const choice = firstOf(choices);
  const message = objectIn(choice.message);
  return {
    thoughts: thoughtsIn(message),
    text: textIn(message.content),
    refusal: textIn(message.refusal),
    calls: objectsIn(message.tool_calls).map((call, place) => {
      const target = objectIn(call.function);
      return {
        id: textIn(call.id) || callIdOf(requestId, place),
        name: textIn(target.name),
        arguments: textIn(target.arguments),
      };
    }),
    reason: reasonIn(choice.finish_reason) ?? 'stop',
  };
}

function thoughtsIn(message: JsonObject): readonly CanonicalThought[] {
  const signed = objectsIn(message.thinking_blocks).map(thoughtIn);
  return signed.length > 0 ? signed : plainThoughts(textIn(message.reasoning_content));
}

function thoughtIn({ type, data, thinking, signature }: JsonObject): CanonicalThought {
  return type === 'redacted_thinking'
    ? { type, data: textIn(data) }
    : { type: 'thinking', thinking: textIn(thinking), signature: textIn(signature) };
}

/** Writes events of a stream under their names, until they are taken together. */
export function createEventWriter() {
  let frames = '';
  return {
    write(event: JsonObject & { readonly type: string }): void {
      frames += `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
    },
    take(): Buffer {
      const bytes = Buffer.from(frames);
      frames = '';
      return bytes;
    },
  };
}

/** One thing that an event of a stream says. */
export type StreamStep =
  | { readonly kind: 'thought'; readonly text: string }
  /** A thought ends: the text since the last one is signed, or was kept by its vendor. */
  | { readonly kind: 'signed'; readonly block: CanonicalThought }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'refusal'; readonly text: string }
  /** A call begins; `place` counts calls from 0, in the order in which they began. */
  | { readonly kind: 'call'; readonly place: number; readonly id: string; readonly name: string }
  | { readonly kind: 'arguments'; readonly place: number; readonly text: string }
  | { readonly kind: 'finish'; readonly reason: FinishReason };

/**
 * Reads the events of one stream, in their order. Vendors number the calls of tools by `index`;
 * where one does not, a call begins with each id, and what has no id belongs to the last.
 */
export function createEventReader(requestId: string): (event: Buffer) => readonly StreamStep[] {
  const places = new Map<unknown, number>();
  const begun = (key: unknown): number => {
    const place = places.size;
    places.set(key, place);
    return place;
  };
  const readCall = (call: JsonObject, steps: StreamStep[]) => {
    const target = objectIn(call.function);
    const id = textIn(call.id);
    const numbered = typeof call.index === 'number';
    const key = numbered ? call.index : id || [...places.keys()].at(-1);
    let place = places.get(key);
    if (place === undefined) {
      place = begun(key);
      const name = textIn(target.name);
      steps.push({ kind: 'call', place, id: id || callIdOf(requestId, place), name });
    }
    const text = textIn(target.arguments);
    if (text !== '') steps.push({ kind: 'arguments', place, text });
  };
  return (event) => {
    const choice = firstOf(event);
    const delta = objectIn(choice.delta);
    const steps: StreamStep[] = [];
    const thought = textIn(delta.reasoning_content);
    if (thought !== '') steps.push({ kind: 'thought', text: thought });
    for (const block of objectsIn(delta.thinking_blocks)) {
      steps.push({ kind: 'signed', block: thoughtIn(block) });
    }
    const text = textIn(delta.content);
    if (text !== '') steps.push({ kind: 'text', text });
    const refusal = textIn(delta.refusal);
    if (refusal !== '') steps.push({ kind: 'refusal', text: refusal });
    for (const call of objectsIn(delta.tool_calls)) readCall(call, steps);
    const reason = reasonIn(choice.finish_reason);
    if (reason !== undefined) steps.push({ kind: 'finish', reason });
    return steps;
  };
}

/**
 * For vendors that name no id: the same call has the same one, whole and streamed, and calls of
 * other turns, which stand in the same conversation, have others.
 */
function callIdOf(requestId: string, place: number): string {
  return `call_${requestId}_${place}`;
}

function firstOf(choices: Buffer): JsonObject {
  const parsed: unknown = JSON.parse(choices.toString());
  return Array.isArray(parsed) ? objectIn(parsed[0]) : {};
}

function objectIn(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function objectsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function reasonIn(value: unknown): FinishReason | undefined {
  return FINISH_REASONS.find((reason) => reason === value);
}
