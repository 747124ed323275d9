import { anthropicTarget, type JsonObject } from '@tollgate/core';
import type { CacheMark, VendorCall } from '../../domain/vendor';
import {
  type ChatMembers,
  type ChatPart,
  type ChatTurn,
  dataUrlContentOf,
  groupTurns,
  readChat,
  readMembers,
  splitText,
} from '../protocol/chat';
import { inexpressible } from '../protocol/failures';
import { thinkingBudgetOf } from '../protocol/thoughts';
import { requestHeaders, type VendorRequest } from '../protocol/vendor-protocol';

const USER_ID_LENGTH_MAX = 256;
/** Told in tokens how much to think, later ones by a word. A name without a version is a later one. */
const EARLIER_MODELS = /claude-(?:3\b|(?:haiku|opus|sonnet)-4(?![-.](?:[6-9]|\d\d)(?!\d)))/;
const THINKING_BUDGET_MIN = 1024;
const THINKING_TOP_P_MIN = 0.95;

/** Writes a request of the Messages protocol. */
export function buildRequest(call: VendorCall): VendorRequest {
  const { headers, path } = anthropicTarget(call.candidate.channel.credential, 'messages');
  return {
    path,
    headers: requestHeaders(call, headers),
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
    messages: groupTurns(turns, blocksOf).map(({ role, parts: content }) => ({ role, content })),
    temperature: unlessNeutral(parameters.temperature),
    top_p: unlessNeutral(parameters.topP),
    stop_sequences: parameters.stop.length > 0 ? parameters.stop : undefined,
    metadata:
      parameters.user === ''
        ? undefined
        : { user_id: parameters.user.slice(0, USER_ID_LENGTH_MAX) },
    ...toolsOf(members, marks),
    ...thinkingOf(call, members),
    stream: call.stream ? true : undefined,
  };
}

function systemOf(instructions: string, marks: readonly number[]) {
  if (instructions === '') return undefined;
  return marks.length === 0 ? instructions : splitText(instructions, marks).map(blockOf);
}

/** A mark as the protocol has it. It names no time and so lasts the shortest, which is priced. */
const CACHED = { cache_control: { type: 'ephemeral' } };

/** 1 is the default of both, and some models refuse a request that sends it. */
function unlessNeutral(value: number | undefined): number | undefined {
  return value === 1 ? undefined : value;
}

function blocksOf(turn: ChatTurn): readonly JsonObject[] {
  switch (turn.role) {
    case 'user':
      return turn.parts.map(blockOf);
    case 'assistant':
      return markLast(turn.marked, [
        // Another vendor's thoughts bear no signature of this one.
        ...turn.thoughts.filter((each) => each.type !== 'thinking' || each.signature !== ''),
        ...(turn.text === '' ? [] : [{ type: 'text', text: turn.text }]),
        ...turn.calls.map(({ id, name, input }) => ({
          type: 'tool_use',
          id: acceptedToolId(id),
          name,
          input,
        })),
      ]);
    case 'tool':
      return markLast(turn.marked, [
        {
          type: 'tool_result',
          tool_use_id: acceptedToolId(turn.callId),
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
  const data = dataUrlContentOf(part.url);
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
function acceptedToolId(id: string): string {
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

/**
 * How much to think, and that the thoughts be shown: later models show them only when they are told.
 * A model of the protocol neither thinks when it must call a tool nor when it is told how to sample;
 * then its effort alone is said.
 */
function thinkingOf(call: VendorCall, members: ChatMembers) {
  const format = formatOf(members);
  const formatOnly = format === undefined ? undefined : { format };
  const { effort } = members;
  const isEarlier = EARLIER_MODELS.test(call.candidate.upstreamName);
  if (effort === 'none' || call.parameters.thinkingBudget === 0) {
    const isWordless = isEarlier || effort === '' || effort === 'none';
    const output_config = isWordless ? formatOnly : { format, effort };
    return { thinking: { type: 'disabled' }, output_config };
  }
  if (effort === '') return { output_config: formatOnly };
  const bound = boundThinking(call, members);
  if (isEarlier) {
    if (bound !== undefined) throw inexpressible(bound, `This model does not think with ${bound}.`);
    return {
      thinking: { type: 'enabled', budget_tokens: budgetOf(call, effort) },
      output_config: formatOnly,
    };
  }
  return {
    thinking: bound === undefined ? { type: 'adaptive', display: 'summarized' } : undefined,
    output_config: { format, effort },
  };
}

/** The member of the request with which no model of the protocol thinks. */
function boundThinking({ parameters }: VendorCall, { toolChoice }: ChatMembers) {
  if (unlessNeutral(parameters.temperature) !== undefined) return 'temperature';
  if ((parameters.topP ?? 1) < THINKING_TOP_P_MIN) return 'top_p';
  const isForced = toolChoice === 'required' || typeof toolChoice === 'object';
  return isForced ? 'tool_choice' : undefined;
}

/** Thinking is a part of max_tokens; half of it at most, so that the answer has room. */
function budgetOf({ candidate, maxTokens, parameters }: VendorCall, effort: string): number {
  const { thinkingBudget } = parameters;
  const tokensMax = maxTokens ?? candidate.model.completionTokensMax;
  if (tokensMax <= THINKING_BUDGET_MIN) {
    const rule = `must be above ${THINKING_BUDGET_MIN} for this model to think.`;
    throw inexpressible('max_tokens', `max_tokens ${rule}`);
  }
  if (thinkingBudget !== undefined) return Math.min(thinkingBudget, tokensMax - 1);
  const budget = thinkingBudgetOf(effort, undefined) ?? THINKING_BUDGET_MIN;
  return Math.max(THINKING_BUDGET_MIN, Math.min(budget, Math.floor(tokensMax / 2)));
}

function formatOf({ format }: ChatMembers) {
  if (format === undefined) return undefined;
  if (format === 'any') {
    throw inexpressible('response_format', 'This model has JSON answers only by a schema.');
  }
  return { type: 'json_schema', schema: format };
}
