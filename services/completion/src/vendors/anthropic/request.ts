import type { JsonObject } from '@tollgate/core';
import type { CacheMark, VendorCall } from '../../domain/vendor';
import {
  type ChatMembers,
  type ChatPart,
  type ChatTurn,
  dataOf,
  readChat,
  readMembers,
  splitText,
} from '../chat';
import { inexpressible } from '../failures';
import type { VendorRequest } from '../protocol';

const VERSION = '2023-06-01';
const USER_ID_LENGTH_MAX = 256;

/** Writes a request of the Messages protocol; the channel's base URL ends in its version. */
export function buildRequest(call: VendorCall): VendorRequest {
  const { credential } = call.candidate.channel;
  return {
    path: '/messages',
    headers: {
      ...(credential === '' ? {} : { 'x-api-key': credential }),
      'anthropic-version': VERSION,
      'content-type': 'application/json',
      accept: call.stream ? 'text/event-stream' : 'application/json',
      'user-agent': 'tollgate',
      'x-request-id': call.requestId,
    },
    body: [Buffer.from(JSON.stringify(bodyOf(call)))],
  };
}

// Members that are undefined are left out when the body is written.
function bodyOf(call: VendorCall) {
  const { candidate, parameters } = call;
  const marks = parameters.cacheMarks ?? [];
  const { instructions, instructionMarks, turns } = readChat(call, marks);
  const members = readMembers(call);
  return {
    model: candidate.upstreamName,
    // The protocol wants a bound, and the model's own is what the request without one means.
    max_tokens: call.maxTokens ?? candidate.model.completionTokensMax,
    system: systemOf(instructions, instructionMarks),
    messages: messagesOf(turns),
    temperature: unlessNeutral(parameters.temperature),
    top_p: unlessNeutral(parameters.topP),
    stop_sequences: parameters.stop.length > 0 ? parameters.stop : undefined,
    metadata:
      parameters.user === ''
        ? undefined
        : { user_id: parameters.user.slice(0, USER_ID_LENGTH_MAX) },
    ...toolsOf(members, marks),
    output_config: outputOf(members),
    stream: call.stream ? true : undefined,
  };
}

function systemOf(instructions: string, marks: readonly number[]) {
  if (instructions === '') return undefined;
  return marks.length === 0 ? instructions : splitText(instructions, marks).map(blockOf);
}

/** A mark as the protocol has it; how long it lasts is the shortest time, the catalogue's price. */
const CACHED = { cache_control: { type: 'ephemeral' } };

/** One is what both are without being sent, and some models refuse to be told. */
function unlessNeutral(value: number | undefined): number | undefined {
  return value === 1 ? undefined : value;
}

interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: JsonObject[];
}

/** Turns of one role in a row are one message: results of parallel calls have to come together. */
function messagesOf(turns: readonly ChatTurn[]): readonly Message[] {
  const messages: Message[] = [];
  for (const turn of turns) {
    const role = turn.role === 'assistant' ? 'assistant' : 'user';
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...blocksOf(turn));
    else messages.push({ role, content: [...blocksOf(turn)] });
  }
  return messages;
}

function blocksOf(turn: ChatTurn): readonly JsonObject[] {
  switch (turn.role) {
    case 'user':
      return turn.parts.map(blockOf);
    case 'assistant':
      return markLast(turn.marked, [
        ...(turn.text === '' ? [] : [{ type: 'text', text: turn.text }]),
        ...turn.calls.map(({ id, name, input }) => ({
          ...{ type: 'tool_use', id: toolIdOf(id), name, input },
        })),
      ]);
    case 'tool':
      return markLast(turn.marked, [
        {
          type: 'tool_result',
          tool_use_id: toolIdOf(turn.callId),
          ...(turn.text === '' ? {} : { content: turn.text }),
        },
      ]);
  }
}

function markLast(marked: boolean | undefined, blocks: readonly JsonObject[]) {
  const last = blocks.at(-1);
  if (marked !== true || last === undefined) return blocks;
  return [...blocks.slice(0, -1), { ...last, ...CACHED }];
}

function blockOf(part: ChatPart): JsonObject {
  return part.marked === true ? { ...contentOf(part), ...CACHED } : contentOf(part);
}

function contentOf(part: ChatPart): JsonObject {
  if (part.kind === 'text') return { type: 'text', text: part.text };
  const data = dataOf(part.url);
  if (data !== undefined) {
    const source = { type: 'base64', media_type: data.mediaType, data: data.base64 };
    if (part.kind === 'image') return { type: 'image', source };
    return { type: 'document', source, ...(part.name === '' ? {} : { title: part.name }) };
  }
  if (part.kind === 'image' && /^https?:\/\//i.test(part.url)) {
    return { type: 'image', source: { type: 'url', url: part.url } };
  }
  throw inexpressible('messages', 'Images must be data URLs or addresses for this model.');
}

// Other vendors' ids may hold what this one refuses; both ends of a call are written alike.
function toolIdOf(id: string): string {
  return id.replace(/[^\w-]/g, '_');
}

function toolsOf(
  { parallelToolCalls, toolChoice, tools }: ChatMembers,
  marks: readonly CacheMark[],
) {
  if (tools.length === 0) return {};
  const isMarked = (index: number) =>
    marks.some(({ end, message }) => message === -1 && end === index + 1);
  return {
    tools: tools.map(({ name, description, parameters, strict }, index) => ({
      name,
      description,
      input_schema: parameters ?? { type: 'object', properties: {} },
      strict: strict ? true : undefined,
      ...(isMarked(index) ? CACHED : {}),
    })),
    tool_choice: toolChoiceOf(toolChoice, parallelToolCalls === false ? true : undefined),
  };
}

function toolChoiceOf(choice: ChatMembers['toolChoice'], single: true | undefined) {
  const disable_parallel_tool_use = single;
  switch (choice) {
    case undefined:
      return single === undefined ? undefined : { type: 'auto', disable_parallel_tool_use };
    case 'none':
      return { type: 'none' };
    case 'auto':
      return { type: 'auto', disable_parallel_tool_use };
    case 'required':
      return { type: 'any', disable_parallel_tool_use };
    default:
      return { type: 'tool', name: choice.name, disable_parallel_tool_use };
  }
}

function outputOf(members: ChatMembers) {
  const format = formatOf(members);
  const effort = members.effort === '' ? undefined : members.effort;
  return format === undefined && effort === undefined ? undefined : { format, effort };
}

function formatOf({ format }: ChatMembers) {
  if (format === undefined) return undefined;
  if (format === 'any') {
    throw inexpressible('response_format', 'This model has JSON answers only by a schema.');
  }
  return { type: 'json_schema', schema: format };
}
