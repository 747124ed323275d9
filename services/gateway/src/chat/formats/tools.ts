import { isObject, type JsonObject } from '@tollgate/core';
import { invalidField } from '../../http/errors';
import { isAbsent, optionalBoolean, optionalString, requireNoOthers } from './fields';
import { CHAT_BOUNDS, requireName } from './shared-fields';

/** The tools of a body, not looked at yet; none where the field is absent. */
export function listTools(body: JsonObject): readonly unknown[] {
  const value = body.tools ?? [];
  if (Array.isArray(value) && value.length <= CHAT_BOUNDS.toolsMax) return value;
  throw invalidField('tools', `must be an array of at most ${CHAT_BOUNDS.toolsMax} tools.`);
}

/** How a format declares a tool that keeps type, name and schema in one object. */
export interface FlatToolForm {
  /** The one type of tools that the client runs itself. */
  readonly type: string;
  /** The field that has the schema of the arguments. */
  readonly schema: string;
  /** Which of the two may be absent. */
  readonly optional: 'type' | 'schema';
  readonly known: ReadonlySet<string>;
}

/** Reads `tools` into the form of chat completions, which keep a function in an object of its own. */
export function readFlatTools(body: JsonObject, form: FlatToolForm) {
  return listTools(body).map((tool, index) => readFlatTool(tool, `tools[${index}]`, form));
}

function readFlatTool(tool: unknown, param: string, form: FlatToolForm) {
  if (!isObject(tool)) throw invalidField(param, 'must be an object.');
  const mayLack = (value: unknown, part: 'type' | 'schema') =>
    form.optional === part && isAbsent(value);
  if (tool.type !== form.type && !mayLack(tool.type, 'type')) {
    const rule = `must be ${form.type}; tools that a vendor runs are not supported.`;
    throw invalidField(`${param}.type`, rule);
  }
  const name = requireName(tool, param);
  const description = optionalString(tool, 'description', `${param}.description`);
  const schema = tool[form.schema];
  if (!isObject(schema) && !mayLack(schema, 'schema')) {
    throw invalidField(`${param}.${form.schema}`, 'must be an object.');
  }
  const strict = optionalBoolean(tool, 'strict', `${param}.strict`);
  requireNoOthers(tool, form.known, param);
  const declared = { name, description, parameters: schema ?? undefined };
  return { type: 'function', function: strict === true ? { ...declared, strict } : declared };
}

/** The choice of one tool, in the form of chat completions; `name` is one of `names`. */
export function chooseTool(name: unknown, names: readonly string[]) {
  if (typeof name === 'string' && names.includes(name)) {
    return { type: 'function', function: { name } };
  }
  throw invalidField('tool_choice.name', 'must be the name of one of tools.');
}

/** The refusal of a choice that no tool can meet. */
export function refusalOfChoice() {
  return invalidField('tool_choice', 'asks for a tool, but tools has none.');
}
