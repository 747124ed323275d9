import { isObject, type JsonObject, THINKING_TOKENS_BY_EFFORT } from '@tollgate/core';
import { invalidField } from '../../../http/errors';
import type { ChatRequest } from '../../request';
import { isMarked, markOfMessage, marksOfTools } from '../cache-marks';
import {
  type CapabilityFields,
  type ReasoningEffort,
  toChatRequest,
  UNSAID_SAMPLING,
} from '../canonical';
import {
  fieldsOf,
  isAbsent,
  optionalBoolean,
  optionalInteger,
  optionalNumber,
  optionalObject,
  optionalString,
  requireNoOthers,
  requireObject,
} from '../fields';
import {
  CHAT_BOUNDS,
  checkEffort,
  checkFallbacks,
  checkModel,
  checkServiceTier,
  checkUser,
  isTextList,
} from '../shared-fields';
import { chooseTool, readFlatTools, refusalOfChoice } from '../tools';
import { readConversation } from './messages';
import {
  countRequestSchema,
  EFFORTS,
  MESSAGES_BOUNDS,
  messagesRequestSchema,
  SERVICE_TIERS,
  toolSchema,
} from './schema';

const FIELDS = fieldsOf(messagesRequestSchema);
/** The fields of a count: what becomes the prompt. */
const COUNT_FIELDS = fieldsOf(countRequestSchema);
const TOOL_FORM = {
  type: 'custom',
  schema: 'input_schema',
  optional: 'type',
  known: fieldsOf(toolSchema),
} as const;
const CHOICE_FIELDS = new Set(['type', 'name', 'disable_parallel_tool_use']);
const THINKING_FIELDS = new Set(['type', 'budget_tokens', 'display']);
/** What the format means where no effort stands beside it. */
const ADAPTIVE_EFFORT = 'high';

/** The format's names of fields that completion finds fault with. */
export const MESSAGES_PARAMS: Readonly<Record<string, string>> = {
  stop: 'stop_sequences',
  response_format: 'output_config.format',
  reasoning_effort: 'output_config.effort',
  parallel_tool_calls: 'tool_choice.disable_parallel_tool_use',
};

/** The same for a request whose effort is that of `thinking`: no other field says one. */
const PARAMS_OF_THINKING = { ...MESSAGES_PARAMS, reasoning_effort: 'thinking' };

/**
 * Checks a parsed body field by field and throws VALIDATION_ERROR that names the first one at
 * fault. What chat completions cannot express is refused by its name and never dropped.
 */
export function fromMessagesBody(body: unknown): ChatRequest {
  return read(body, FIELDS, (fields) => {
    const maxTokens = optionalInteger(fields, 'max_tokens', 1, CHAT_BOUNDS.maxTokensMax);
    if (maxTokens === undefined) throw invalidField('max_tokens', 'is required.');
    return maxTokens;
  });
}

/** The same for the body of a count, which asks for no answer. */
export function fromCountBody(body: unknown): ChatRequest {
  return read(body, COUNT_FIELDS, () => undefined);
}

function read(
  body: unknown,
  known: ReadonlySet<string>,
  readMaxTokens: (body: JsonObject) => number | undefined,
): ChatRequest {
  requireObject(body);
  const model = checkModel(body.model);
  const fallbackModels = checkFallbacks(body.models);
  const { messages, needs, cacheMarks } = readConversation(body.system, body.messages);
  const maxTokens = readMaxTokens(body);
  const stop = checkStopSequences(body.stop_sequences);
  const { temperatureMax } = MESSAGES_BOUNDS;
  const temperature = optionalNumber(body, 'temperature', 0, temperatureMax);
  const topP = optionalNumber(body, 'top_p', 0, CHAT_BOUNDS.topPMax);
  const user = checkMetadata(body);
  const stream = optionalBoolean(body, 'stream') ?? false;
  checkServiceTier(body.service_tier, SERVICE_TIERS);
  const capabilities = checkTools(body);
  const thinking = readThinking(body, maxTokens);
  const output = readOutput(body);
  const effort = output.effort ?? thinking.effort;
  if (effort !== undefined) capabilities.reasoning_effort = effort;
  if (output.format !== undefined) capabilities.response_format = output.format;
  requireNoOthers(body, known);
  return toChatRequest({
    model,
    fallbackModels,
    messages,
    stream,
    includeUsage: stream,
    sampling: {
      temperature,
      topP,
      maxTokens,
      stop,
      user,
      ...UNSAID_SAMPLING,
    },
    capabilities,
    needs,
    cacheMarks: [
      ...marksOfTools(body.tools),
      ...cacheMarks,
      // A mark of the request itself stands for its last block.
      ...(isMarked(body) ? [markOfMessage(messages.length - 1)] : []),
    ],
    capabilityParams: output.effort === undefined ? PARAMS_OF_THINKING : MESSAGES_PARAMS,
    thinkingBudget: thinking.budget,
  });
}

function checkStopSequences(value: unknown): string[] {
  const { stopMax, stopLengthMax } = CHAT_BOUNDS;
  if (isAbsent(value)) return [];
  if (isTextList(value, stopMax, stopLengthMax)) return value;
  const rule = `must be at most ${stopMax} strings, each of 1 to ${stopLengthMax} characters.`;
  throw invalidField('stop_sequences', rule);
}

function checkMetadata(body: JsonObject): string {
  const metadata = optionalObject(body, 'metadata');
  const user = checkUser(metadata?.user_id, 'metadata.user_id');
  if (metadata !== undefined) requireNoOthers(metadata, new Set(['user_id']), 'metadata');
  return user;
}

function checkTools(body: JsonObject): CapabilityFields {
  const tools = readFlatTools(body, TOOL_FORM);
  const choice = optionalObject(body, 'tool_choice');
  const fields: CapabilityFields = {};
  if (tools.length > 0) fields.tools = tools;
  if (choice === undefined) return fields;
  requireNoOthers(choice, CHOICE_FIELDS, 'tool_choice');
  const names = tools.map((tool) => tool.function.name);
  const toolChoice = toToolChoice(choice, names);
  const field = 'disable_parallel_tool_use';
  const single = optionalBoolean(choice, field, `tool_choice.${field}`);
  if (tools.length === 0) return fields;
  fields.tool_choice = toolChoice;
  if (single === true) fields.parallel_tool_calls = false;
  return fields;
}

function toToolChoice(choice: JsonObject, names: readonly string[]): unknown {
  const name = optionalString(choice, 'name', 'tool_choice.name');
  switch (choice.type) {
    case 'auto':
    case 'none':
      return choice.type;
    case 'any':
      if (names.length > 0) return 'required';
      throw refusalOfChoice();
    case 'tool':
      return chooseTool(name, names);
    default:
      throw invalidField('tool_choice.type', 'must be auto, any, tool or none.');
  }
}

/** What `output_config` asks for; each is undefined where it says nothing of it. */
interface Output {
  /** How much to think before the answer; it goes before what `thinking` says. */
  readonly effort: ReasoningEffort | undefined;
  /** The schema of the answer, in the canonical form. */
  readonly format: JsonObject | undefined;
}

function readOutput(body: JsonObject): Output {
  const output = optionalObject(body, 'output_config');
  if (output === undefined) return { effort: undefined, format: undefined };
  requireNoOthers(output, new Set(['format', 'effort']), 'output_config');
  const effort = checkEffort(output.effort, 'output_config.effort', EFFORTS);
  return { effort, format: readFormat(output.format) };
}

function readFormat(format: unknown): JsonObject | undefined {
  if (isAbsent(format)) return undefined;
  if (!isObject(format) || format.type !== 'json_schema' || !isObject(format.schema)) {
    throw invalidField('output_config.format', 'must have type "json_schema" and a schema.');
  }
  requireNoOthers(format, new Set(['type', 'schema']), 'output_config.format');
  const { schema } = format;
  const json_schema = { name: 'answer', schema, strict: true };
  return { type: 'json_schema', json_schema };
}

/** How much to think, as this format says it: in tokens, or that the model shall decide. */
interface Thinking {
  /** The word for it, for vendors that are told in words; undefined when it says nothing. */
  readonly effort: ReasoningEffort | undefined;
  /** 0 asks for no thoughts; undefined leaves it to the effort. */
  readonly budget: number | undefined;
}

/** Checks `thinking`; `maxTokens` is undefined for a count of tokens. */
function readThinking(body: JsonObject, maxTokens: number | undefined): Thinking {
  const thinking = optionalObject(body, 'thinking');
  if (thinking === undefined) return { effort: undefined, budget: undefined };
  requireNoOthers(thinking, THINKING_FIELDS, 'thinking');
  const { display } = thinking;
  if (!isAbsent(display) && display !== 'summarized') {
    throw invalidField(
      'thinking.display',
      'must be summarized: thoughts that a vendor tells are shown.',
    );
  }
  switch (thinking.type) {
    case 'disabled':
      return { effort: undefined, budget: 0 };
    case 'adaptive':
      return { effort: ADAPTIVE_EFFORT, budget: undefined };
    case 'enabled': {
      const budget = budgetIn(thinking, maxTokens);
      return { effort: effortOf(budget), budget };
    }
    default:
      throw invalidField('thinking.type', 'must be enabled, adaptive or disabled.');
  }
}

function budgetIn(thinking: JsonObject, maxTokens: number = CHAT_BOUNDS.maxTokensMax): number {
  const { budget_tokens: budget } = thinking;
  const { thinkingBudgetMin: min } = MESSAGES_BOUNDS;
  const isNumber = typeof budget === 'number' && Number.isInteger(budget);
  if (isNumber && budget >= min && budget < maxTokens) return budget;
  throw invalidField(
    'thinking.budget_tokens',
    `must be an integer from ${min} and below max_tokens.`,
  );
}

function effortOf(budget: number): ReasoningEffort {
  const { high, medium } = THINKING_TOKENS_BY_EFFORT;
  if (budget < medium) return 'low';
  return budget < high ? 'medium' : 'high';
}
