import {
  asList,
  asObject,
  asText,
  FINISH_REASONS,
  type FinishReason,
  isObject,
  type JsonObject,
  type Thought,
  thoughtOf,
} from '@tollgate/core';
import { plainThoughts } from './thoughts';

/** The first choice of a whole answer; a format that has one answer asks for no more. */
export interface ReadAnswer {
  /** The thoughts in their order; the signature of one that its vendor did not sign is empty. */
  readonly thoughts: readonly Thought[];
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
  const message = objectOf(choice.message);
  return {
    thoughts: thoughtsOf(message),
    text: asText(message.content),
    refusal: asText(message.refusal),
    calls: objectsOf(message.tool_calls).map((call, place) => {
      const target = objectOf(call.function);
      return {
        id: asText(call.id) || callIdOf(requestId, place),
        name: asText(target.name),
        arguments: asText(target.arguments),
      };
    }),
    reason: reasonOf(choice.finish_reason) ?? 'stop',
  };
}

function thoughtsOf(message: JsonObject): readonly Thought[] {
  const signed = objectsOf(message.thinking_blocks).map(thoughtOf);
  return signed.length > 0 ? signed : plainThoughts(asText(message.reasoning_content));
}

/** One thing that an event of a stream says. */
export type StreamStep =
  | { readonly kind: 'thought'; readonly text: string }
  /** A thought ends: the text since the last one is signed, or was kept by its vendor. */
  | { readonly kind: 'signed'; readonly block: Thought }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'refusal'; readonly text: string }
  /** A call begins; `place` counts calls from 0, in the order in which they began. */
  | { readonly kind: 'call'; readonly place: number; readonly id: string; readonly name: string }
  | { readonly kind: 'arguments'; readonly place: number; readonly text: string }
  | { readonly kind: 'finish'; readonly reason: FinishReason };

/** Reads the events of one stream, in their order; completion gives each call an index of its own. */
export function createEventReader(requestId: string): (event: Buffer) => readonly StreamStep[] {
  const places = new Map<unknown, number>();
  const readCall = (call: JsonObject, steps: StreamStep[]) => {
    const target = objectOf(call.function);
    const known = places.get(call.index);
    const place = known ?? places.size;
    if (known === undefined) {
      places.set(call.index, place);
      const id = asText(call.id) || callIdOf(requestId, place);
      steps.push({ kind: 'call', place, id, name: asText(target.name) });
    }
    const text = asText(target.arguments);
    if (text !== '') steps.push({ kind: 'arguments', place, text });
  };
  return (event) => {
    const choice = firstOf(event);
    const delta = objectOf(choice.delta);
    const steps: StreamStep[] = [];
    const thought = asText(delta.reasoning_content);
    if (thought !== '') steps.push({ kind: 'thought', text: thought });
    for (const block of objectsOf(delta.thinking_blocks)) {
      steps.push({ kind: 'signed', block: thoughtOf(block) });
    }
    const text = asText(delta.content);
    if (text !== '') steps.push({ kind: 'text', text });
    const refusal = asText(delta.refusal);
    if (refusal !== '') steps.push({ kind: 'refusal', text: refusal });
    for (const call of objectsOf(delta.tool_calls)) readCall(call, steps);
    const reason = reasonOf(choice.finish_reason);
    if (reason !== undefined) steps.push({ kind: 'finish', reason });
    return steps;
  };
}

/**
 * The id of a call whose vendor gave it none: the same call has the same one, whole and streamed, and
 * calls of other turns, which stand in the same conversation, have others.
 */
function callIdOf(requestId: string, place: number): string {
  return `call_${requestId}_${place}`;
}

function firstOf(choices: Buffer): JsonObject {
  const parsed: unknown = JSON.parse(choices.toString());
  return Array.isArray(parsed) ? objectOf(parsed[0]) : {};
}

// An answer of completion is read leniently: what has another form is not there.

function objectOf(value: unknown): JsonObject {
  return asObject(value) ?? {};
}

function objectsOf(value: unknown): readonly JsonObject[] {
  return asList(value).filter(isObject);
}

function reasonOf(value: unknown): FinishReason | undefined {
  return FINISH_REASONS.find((reason) => reason === value);
}

/** Writes events of a stream under their names, until they are taken together. */
export function createEventWriter() {
  let frames = '';
  /** An event whose JSON is finished. */
  const writeJson = (type: string, json: string): void => {
    frames += `event: ${type}\ndata: ${json}\n\n`;
  };
  return {
    writeJson,
    write(event: JsonObject & { readonly type: string }): void {
      writeJson(event.type, JSON.stringify(event));
    },
    take(): Buffer {
      const bytes = Buffer.from(frames);
      frames = '';
      return bytes;
    },
  };
}
