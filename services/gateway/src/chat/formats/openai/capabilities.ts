import { isObject, type JsonObject } from '@tollgate/core';
import { invalidField } from '../../../http/errors';
import type { CapabilityFields } from '../canonical';
import { isAbsent, optionalBoolean, optionalInteger, optionalObject } from '../fields';
import { CHAT_BOUNDS, checkEffort } from '../shared-fields';
import { listTools, refusalOfChoice } from '../tools';

/** Checks the capability fields in a fixed order; throws VALIDATION_ERROR. */
export function checkCapabilities(body: JsonObject): CapabilityFields {
  const fields: CapabilityFields = {};
  const choices = optionalInteger(body, 'n', 1, CHAT_BOUNDS.choicesMax);
  if (choices !== undefined && choices > 1) fields.n = choices;
  const tools = checkTools(body);
  if (tools !== undefined) fields.tools = tools;
  const toolChoice = checkToolChoice(body.tool_choice);
  const parallel = optionalBoolean(body, 'parallel_tool_calls');
  const format = checkResponseFormat(body);
  if (format !== undefined) fields.response_format = format;
  const logprobs = optionalBoolean(body, 'logprobs');
  const topLogprobs = optionalInteger(body, 'top_logprobs', 0, CHAT_BOUNDS.topLogprobsMax);
  if (logprobs === true) {
    fields.logprobs = true;
    if (topLogprobs !== undefined) fields.top_logprobs = topLogprobs;
  }
  const bias = checkLogitBias(body);
  if (bias !== undefined) fields.logit_bias = bias;
  const effort = checkEffort(body.reasoning_effort, 'reasoning_effort');
  if (effort !== undefined) fields.reasoning_effort = effort;
  addToolSettings(fields, toolChoice, parallel);
  return fields;
}

/** Says how tools are used: without any, "none" and "auto" mean nothing and the rest is an error. */
function addToolSettings(
  fields: CapabilityFields,
  toolChoice: unknown,
  parallel: boolean | undefined,
): void {
  if (fields.tools === undefined) {
    if (toolChoice !== undefined && toolChoice !== 'none' && toolChoice !== 'auto') {
      throw refusalOfChoice();
    }
    return;
  }
  if (toolChoice !== undefined) fields.tool_choice = toolChoice;
  if (parallel !== undefined) fields.parallel_tool_calls = parallel;
}

function checkTools(body: JsonObject): readonly unknown[] | undefined {
  const tools = listTools(body);
  for (const tool of tools) {
    if (!isObject(tool) || tool.type !== 'function' || !hasToolName(tool.function)) {
      throw invalidField('tools', 'each must have type "function" and function.name.');
    }
  }
  return tools.length === 0 ? undefined : tools;
}

function hasToolName(target: unknown): boolean {
  if (!isObject(target) || typeof target.name !== 'string') return false;
  return target.name.length >= 1 && target.name.length <= CHAT_BOUNDS.toolNameLengthMax;
}

function checkToolChoice(value: unknown): unknown {
  if (isAbsent(value)) return undefined;
  if (value === 'none' || value === 'auto' || value === 'required') return value;
  if (isObject(value) && value.type === 'function' && hasToolName(value.function)) return value;
  throw invalidField('tool_choice', 'must be none, auto, required, or name a function.');
}

function checkResponseFormat(body: JsonObject): JsonObject | undefined {
  const format = optionalObject(body, 'response_format');
  switch (format?.type) {
    case 'json_object':
      return format;
    case 'json_schema':
      if (isObject(format.json_schema)) return format;
      throw invalidField('response_format', 'json_schema must be an object.');
    case 'text':
      return undefined;
    default:
      if (format === undefined) return undefined;
      throw invalidField('response_format', 'type must be text, json_object or json_schema.');
  }
}

function checkLogitBias(body: JsonObject): JsonObject | undefined {
  const bias = optionalObject(body, 'logit_bias');
  if (bias === undefined) return undefined;
  const values = Object.values(bias);
  const { logitBiasMin, logitBiasMax } = CHAT_BOUNDS;
  for (const value of values) {
    if (typeof value !== 'number' || !(value >= logitBiasMin && value <= logitBiasMax)) {
      throw invalidField(
        'logit_bias',
        `values must be numbers from ${logitBiasMin} to ${logitBiasMax}.`,
      );
    }
  }
  return values.length === 0 ? undefined : bias;
}
