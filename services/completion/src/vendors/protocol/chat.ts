import { asList, asObject, asText, type JsonObject, type Thought } from '@tollgate/core';
import type { CacheMark, VendorCall } from '../../domain/vendor';
import { inexpressible } from './failures';
import { parseObject } from './json';
import { thoughtsIn } from './thoughts';

/** A part of what a user says; an image is a data URL or an address, a file a data URL. */
export type ChatPart = Marked &
  (
    | { readonly kind: 'text'; readonly text: string }
    | { readonly kind: 'image'; readonly url: string }
    | { readonly kind: 'file'; readonly url: string; readonly name: string }
  );

/** With everything before it, to be kept in the vendor's cache. */
interface Marked {
  readonly marked?: boolean;
}

/** A call of a tool as the model made it; `input` is the parsed JSON of its arguments. */
export interface ChatToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
}

/** One turn of a conversation, instructions apart. */
export type ChatTurn =
  | { readonly role: 'user'; readonly parts: readonly ChatPart[] }
  | (Marked & {
      readonly role: 'assistant';
      /** What it thought before it said this. */
      readonly thoughts: readonly Thought[];
      readonly text: string;
      readonly calls: readonly ChatToolCall[];
    })
  | (Marked & {
      readonly role: 'tool';
      readonly callId: string;
      /** Of the tool that was called. */
      readonly name: string;
      readonly text: string;
    });

/** A conversation as vendors want it that keep instructions apart. */
export interface Chat {
  /** Of every system message, in their order; empty without any. */
  readonly instructions: string;
  /** UTF-16 units of the instructions, in rising order: up to there they are to be kept. */
  readonly instructionMarks: readonly number[];
  readonly turns: readonly ChatTurn[];
}

/** A tool as the request declares it. */
export interface ChatTool {
  readonly name: string;
  readonly description: string | undefined;
  /** JSON Schema of its arguments. */
  readonly parameters: JsonObject | undefined;
  readonly strict: boolean;
}

/** The members that only some vendors can serve. */
export interface ChatMembers {
  readonly tools: readonly ChatTool[];
  /** `{ name }` asks for that tool. */
  readonly toolChoice: 'auto' | 'none' | 'required' | { readonly name: string } | undefined;
  readonly parallelToolCalls: boolean | undefined;
  /** The schema of a structured answer; `any` is whatever JSON. */
  readonly format: 'any' | JsonObject | undefined;
  /** How much may be thought; empty when the request leaves it to the model. */
  readonly effort: string;
}

/**
 * The canonical messages as turns. A conversation of nothing but instructions becomes the user's,
 * because these vendors answer to somebody. The marks are for vendors that can be asked to keep a
 * prompt.
 */
export function readChat(call: VendorCall, marks: readonly CacheMark[] = []): Chat {
  const messages = (JSON.parse(call.messages.toString()) as readonly unknown[]).map(
    (message) => asObject(message) ?? {},
  );
  const endsAt = (index: number) =>
    marks.flatMap(({ end, message }) => (message === index ? [end] : []));
  let instructions = '';
  const instructionMarks: number[] = [];
  for (const [index, { content, role }] of messages.entries()) {
    const text = role === 'system' ? partsOf(content).map(textOfPart).join('') : '';
    if (text === '') continue;
    if (instructions !== '') instructions += '\n\n';
    instructionMarks.push(
      ...endsAt(index).map((end) => instructions.length + (end || text.length)),
    );
    instructions += text;
  }
  const toolNames = new Map<string, string>();
  const turns = messages.flatMap((message, index) =>
    turnOf(message, index, toolNames).map((turn) => toSend(turn, endsAt(index))),
  );
  if (turns.length > 0 || instructions === '') return { instructions, instructionMarks, turns };
  const parts = splitText(instructions, instructionMarks);
  return { instructions: '', instructionMarks: [], turns: [{ role: 'user', parts }] };
}

/**
 * The turn with its marks set and its empty texts left out: vendors refuse those, but the marks
 * count them.
 */
function toSend(turn: ChatTurn, ends: readonly number[]): ChatTurn {
  if (turn.role !== 'user') return ends.length === 0 ? turn : { ...turn, marked: true };
  const [first, ...others] = turn.parts;
  if (first?.kind === 'text' && others.length === 0) {
    const places = ends.map((end) => end || first.text.length);
    return { role: 'user', parts: splitText(first.text, places) };
  }
  const said = [...turn.parts.entries()].filter(([, part]) => isSaid(part));
  const parts = said.map(([place, part], index) => {
    const [nextPlace = Number.POSITIVE_INFINITY] = said[index + 1] ?? [];
    const isMarked = ends
      .map((end) => end || turn.parts.length)
      .some((end) => place < end && end <= nextPlace);
    return isMarked ? { ...part, marked: true } : part;
  });
  return { role: 'user', parts };
}

function isSaid(part: ChatPart): boolean {
  return part.kind !== 'text' || part.text !== '';
}

/** The text in pieces that end at the places, each of them marked, and what is left of it. */
export function splitText(
  text: string,
  places: readonly number[],
): readonly (ChatPart & { readonly kind: 'text' })[] {
  const parts: (ChatPart & { readonly kind: 'text' })[] = [];
  let from = 0;
  for (const place of places) {
    if (place <= from) continue;
    parts.push({ kind: 'text', text: text.slice(from, place), marked: true });
    from = Math.min(place, text.length);
  }
  return from < text.length ? [...parts, { kind: 'text', text: text.slice(from) }] : parts;
}

function turnOf(
  message: JsonObject,
  index: number,
  toolNames: Map<string, string>,
): readonly ChatTurn[] {
  switch (message.role) {
    case 'user': {
      const parts = partsOf(message.content);
      return parts.some(isSaid) ? [{ role: 'user', parts }] : [];
    }
    case 'assistant': {
      const text = partsOf(message.content).map(textOfPart).join('');
      const calls = asList(message.tool_calls).map((called, place) =>
        toolCallOf(asObject(called) ?? {}, `messages[${index}].tool_calls[${place}]`),
      );
      for (const { id, name } of calls) toolNames.set(id, name);
      if (text === '' && calls.length === 0) return [];
      return [{ role: 'assistant', thoughts: thoughtsIn(message), text, calls }];
    }
    case 'tool': {
      const callId = asText(message.tool_call_id);
      const name = toolNames.get(callId);
      if (name === undefined) {
        const param = `messages[${index}].tool_call_id`;
        throw inexpressible(param, `${param} names no call of an earlier message.`);
      }
      const text = partsOf(message.content).map(textOfPart).join('');
      return [{ role: 'tool', callId, name, text }];
    }
    default:
      return [];
  }
}

function toolCallOf(called: JsonObject, param: string): ChatToolCall {
  const target = asObject(called.function) ?? {};
  const text = asText(target.arguments);
  const input = text.trim() === '' ? {} : parseObject(text);
  if (input === undefined) {
    throw inexpressible(
      `${param}.function.arguments`,
      `${param}.function.arguments must be a JSON object for this model.`,
    );
  }
  return { id: asText(called.id), name: asText(target.name), input };
}

function partsOf(content: unknown): readonly ChatPart[] {
  if (typeof content === 'string') return [{ kind: 'text', text: content }];
  return asList(content).flatMap((value): readonly ChatPart[] => {
    const part = asObject(value) ?? {};
    if (part.type === 'text') return [{ kind: 'text', text: asText(part.text) }];
    if (part.type === 'image_url') {
      return [{ kind: 'image', url: asText(asObject(part.image_url)?.url) }];
    }
    if (part.type !== 'file') return [];
    const { file_data: url, filename } = asObject(part.file) ?? {};
    return [{ kind: 'file', url: asText(url), name: asText(filename) }];
  });
}

function textOfPart(part: ChatPart): string {
  return part.kind === 'text' ? part.text : '';
}

/** Reads the members as the gateway checked them; absent ones are neutral. */
export function readMembers({ parameters }: VendorCall): ChatMembers {
  const members = parseObject(parameters.capabilityMembers.toString()) ?? {};
  return {
    tools: asList(members.tools).map((tool) => {
      const { name, description, parameters: schema, strict } = functionOf(tool);
      return {
        name: asText(name),
        description: typeof description === 'string' ? description : undefined,
        parameters: asObject(schema),
        strict: strict === true,
      };
    }),
    toolChoice: toolChoiceOf(members.tool_choice),
    parallelToolCalls:
      typeof members.parallel_tool_calls === 'boolean' ? members.parallel_tool_calls : undefined,
    format: formatOf(asObject(members.response_format)),
    effort: asText(members.reasoning_effort),
  };
}

function functionOf(value: unknown): JsonObject {
  return asObject(asObject(value)?.function) ?? {};
}

function toolChoiceOf(value: unknown): ChatMembers['toolChoice'] {
  if (value === 'auto' || value === 'none' || value === 'required') return value;
  return asObject(value) === undefined ? undefined : { name: asText(functionOf(value).name) };
}

function formatOf(format: JsonObject | undefined): ChatMembers['format'] {
  if (format?.type === 'json_object') return 'any';
  if (format?.type !== 'json_schema') return undefined;
  return asObject(asObject(format.json_schema)?.schema) ?? 'any';
}

/** The content of a data URL, or undefined for any other URL. */
export function dataUrlContentOf(
  url: string,
): { readonly mediaType: string; readonly base64: string } | undefined {
  const comma = url.indexOf(',');
  const head = /^data:([\w.+-]+\/[\w.+-]+);base64$/i.exec(url.slice(0, Math.max(0, comma)));
  const mediaType = head?.[1];
  return mediaType === undefined
    ? undefined
    : { mediaType: mediaType.toLowerCase(), base64: url.slice(comma + 1) };
}

interface TurnGroup {
  readonly role: 'assistant' | 'user';
  readonly parts: JsonObject[];
}

/** Turns of one role in a row together: so results of parallel calls have to come. */
export function groupTurns(
  turns: readonly ChatTurn[],
  toParts: (turn: ChatTurn) => readonly JsonObject[],
): readonly TurnGroup[] {
  const groups: TurnGroup[] = [];
  for (const turn of turns) {
    const role = turn.role === 'assistant' ? 'assistant' : 'user';
    const last = groups.at(-1);
    if (last?.role === role) last.parts.push(...toParts(turn));
    else groups.push({ role, parts: [...toParts(turn)] });
  }
  return groups;
}
