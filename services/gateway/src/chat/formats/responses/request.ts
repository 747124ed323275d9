import { isObject, type JsonObject } from '@tollgate/core';
import { invalidField } from '../../../http/errors';
import type { ChatRequest } from '../../request';
import { type CapabilityFields, toChatRequest, UNSAID_SAMPLING } from '../canonical';
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
  requireName,
} from '../shared-fields';
import { chooseTool, readFlatTools, refusalOfChoice } from '../tools';
import { readConversation } from './input';
import {
  INCLUDED,
  RESPONSES_BOUNDS,
  responsesRequestSchema,
  SERVICE_TIERS,
  toolSchema,
} from './schema';

const FIELDS = fieldsOf(responsesRequestSchema);
const TOOL_FORM = {
  type: 'function',
  schema: 'parameters',
  optional: 'schema',
  known: fieldsOf(toolSchema),
} as const;
const SCHEMA_FIELDS = new Set(['type', 'name', 'schema', 'description', 'strict']);

/** The format's names of fields that completion finds fault with. */
export const RESPONSES_PARAMS: Readonly<Record<string, string>> = {
  messages: 'input',
  max_tokens: 'max_output_tokens',
  response_format: 'text.format',
  reasoning_effort: 'reasoning.effort',
};

/**
 * Checks a parsed body field by field and throws VALIDATION_ERROR that names the first one at
 * fault. What would go on from an earlier answer is refused: conversations are not kept.
 */
export function fromResponsesBody(body: unknown): ChatRequest {
  requireObject(body);
  const model = checkModel(body.model);
  const fallbackModels = checkFallbacks(body.models);
  checkStored(body);
  const conversation = readConversation(body.instructions, body.input);
  const maxTokens = optionalInteger(body, 'max_output_tokens', 1, CHAT_BOUNDS.maxTokensMax);
  const temperature = optionalNumber(body, 'temperature', 0, CHAT_BOUNDS.temperatureMax);
  const topP = optionalNumber(body, 'top_p', 0, CHAT_BOUNDS.topPMax);
  const stream = optionalBoolean(body, 'stream') ?? false;
  checkHints(body);
  const user = checkText(body, 'user', CHAT_BOUNDS.userLengthMax);
  const person = checkText(body, 'safety_identifier', CHAT_BOUNDS.userLengthMax);
  const metadata = checkMetadata(body);
  const capabilities = checkTools(body);
  const format = checkFormat(body);
  if (format !== undefined) capabilities.response_format = format;
  const effort = checkReasoning(body);
  if (effort !== undefined) capabilities.reasoning_effort = effort;
  requireNoOthers(body, FIELDS);
  const request = toChatRequest({
    model,
    fallbackModels,
    ...conversation,
    stream,
    includeUsage: stream,
    sampling: {
      temperature,
      topP,
      maxTokens,
      user: user === '' ? person : user,
      stop: [],
      ...UNSAID_SAMPLING,
    },
    capabilities,
    capabilityParams: RESPONSES_PARAMS,
  });
  return { ...request, echo: echoOf(body, metadata) };
}

/** There is no earlier answer to go on from. */
function checkStored(body: JsonObject): void {
  const { store, previous_response_id: previous, conversation } = body;
  if (!isAbsent(previous)) {
    const rule = 'is not supported: answers are not kept. Send the conversation in input.';
    throw invalidField('previous_response_id', rule);
  }
  if (!isAbsent(conversation)) {
    throw invalidField('conversation', 'is not supported: send the conversation in input.');
  }
  if (!isAbsent(store) && store !== false) {
    throw invalidField('store', 'must be false or absent: answers are not kept.');
  }
}

/** Fields that change nothing here, with the values that ask for nothing else. */
function checkHints(body: JsonObject): void {
  const options = optionalObject(body, 'stream_options');
  if (options !== undefined) {
    optionalBoolean(options, 'include_obfuscation');
    requireNoOthers(options, new Set(['include_obfuscation']), 'stream_options');
  }
  optionalString(body, 'prompt_cache_key');
  optionalString(body, 'prompt_cache_retention');
  checkServiceTier(body.service_tier, SERVICE_TIERS);
  const { include, truncation } = body;
  if (!isAbsent(truncation) && truncation !== 'disabled') {
    throw invalidField('truncation', 'must be disabled: nothing of a conversation is left out.');
  }
  if (isAbsent(include)) return;
  if (!Array.isArray(include) || include.some((each) => each !== INCLUDED)) {
    throw invalidField('include', `must be an array of nothing but "${INCLUDED}".`);
  }
}

function checkText(body: JsonObject, param: string, lengthMax: number): string {
  const value = optionalString(body, param) ?? '';
  if (value.length > lengthMax) {
    throw invalidField(param, `must be a string of at most ${lengthMax} characters.`);
  }
  return value;
}

function checkMetadata(body: JsonObject): JsonObject {
  const metadata = optionalObject(body, 'metadata') ?? {};
  const { metadataMax, metadataNameLengthMax, metadataValueLengthMax } = RESPONSES_BOUNDS;
  const entries = Object.entries(metadata);
  const valid = entries.every(
    ([name, value]) =>
      name.length <= metadataNameLengthMax &&
      typeof value === 'string' &&
      value.length <= metadataValueLengthMax,
  );
  if (valid && entries.length <= metadataMax) return metadata;
  throw invalidField('metadata', `must be at most ${metadataMax} short texts by their names.`);
}

function checkTools(body: JsonObject): CapabilityFields {
  const tools = readFlatTools(body, TOOL_FORM);
  const names = tools.map((tool) => tool.function.name);
  const choice = toToolChoice(body.tool_choice, names);
  const parallel = optionalBoolean(body, 'parallel_tool_calls');
  if (tools.length === 0) return {};
  const fields: CapabilityFields = { tools };
  if (choice !== undefined) fields.tool_choice = choice;
  if (parallel !== undefined) fields.parallel_tool_calls = parallel;
  return fields;
}

function toToolChoice(value: unknown, names: readonly string[]): unknown {
  if (isAbsent(value)) return undefined;
  if (value === 'none' || value === 'auto') return value;
  if (value === 'required' && names.length > 0) return value;
  if (value === 'required') throw refusalOfChoice();
  if (!isObject(value) || value.type !== 'function') {
    throw invalidField('tool_choice', 'must be none, auto, required, or name a function.');
  }
  requireNoOthers(value, new Set(['type', 'name']), 'tool_choice');
  return chooseTool(value.name, names);
}

/** `text.format`, with what chat completions keep in an object of its own. */
function checkFormat(body: JsonObject): JsonObject | undefined {
  const text = optionalObject(body, 'text');
  if (text === undefined) return undefined;
  requireNoOthers(text, new Set(['format']), 'text');
  const { format } = text;
  if (isAbsent(format)) return undefined;
  const param = 'text.format';
  if (!isObject(format)) throw invalidField(param, 'must be an object.');
  switch (format.type) {
    case 'text':
    case 'json_object':
      requireNoOthers(format, new Set(['type']), param);
      return format.type === 'text' ? undefined : { type: 'json_object' };
    case 'json_schema':
      return { type: 'json_schema', json_schema: checkSchema(format, param) };
    default:
      throw invalidField(`${param}.type`, 'must be text, json_object or json_schema.');
  }
}

function checkSchema(format: JsonObject, param: string): JsonObject {
  requireNoOthers(format, SCHEMA_FIELDS, param);
  const { schema } = format;
  const name = requireName(format, param);
  if (!isObject(schema)) throw invalidField(`${param}.schema`, 'must be an object.');
  const description = optionalString(format, 'description', `${param}.description`);
  const strict = optionalBoolean(format, 'strict', `${param}.strict`);
  return { name, description, schema, strict };
}

function checkReasoning(body: JsonObject) {
  const reasoning = optionalObject(body, 'reasoning');
  if (reasoning === undefined) return undefined;
  requireNoOthers(reasoning, new Set(['effort', 'summary']), 'reasoning');
  const { summary } = reasoning;
  if (!isAbsent(summary) && summary !== 'auto') {
    throw invalidField('reasoning.summary', 'must be auto: there are no summaries to choose from.');
  }
  return checkEffort(reasoning.effort, 'reasoning.effort');
}

/** Answers of this format repeat what they were asked. */
function echoOf(body: JsonObject, metadata: JsonObject): JsonObject {
  const { text, reasoning } = body;
  return {
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    temperature: body.temperature ?? null,
    top_p: body.top_p ?? null,
    text: { format: (isObject(text) ? text.format : undefined) ?? { type: 'text' } },
    reasoning: {
      effort: (isObject(reasoning) ? reasoning.effort : undefined) ?? null,
      summary: null,
    },
    tools: body.tools ?? [],
    tool_choice: body.tool_choice ?? 'auto',
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    metadata,
    user: body.user ?? null,
  };
}
