import type { VendorCall } from '../domain/vendor';
import { inexpressible } from './failures';
import { asList, asObject, asText, type JsonObject, parseObject } from './json';

/** A part of what a user says; an image is a data URL or an address, a file a data URL. */
export type ChatPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly url: string }
  | { readonly kind: 'file'; readonly url: string; readonly name: string };

/** A call of a tool as the model made it; `input` is the parsed JSON of its arguments. */
export interface ChatToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
}

/** One turn of a conversation, instructions apart. */
export type ChatTurn =
  | { readonly role: 'user'; readonly parts: readonly ChatPart[] }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly calls: readonly ChatToolCall[];
    }
  | {
      readonly role: 'tool';
      readonly callId: string;
      /** Of the tool that was called. */
      readonly name: string;
      readonly text: string;
    };

/** A conversation as vendors want it that keep instructions apart. */
export interface Chat {
  /** Of every system message, in their order; empty without any. */
  readonly instructions: string;
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
 * because these vendors answer to somebody.
 */
export function readChat(call: VendorCall): Chat {
  const messages = (JSON.parse(call.messages.toString()) as readonly unknown[]).map(
    (message) => asObject(message) ?? {},
  );
  const instructions = messages
    .filter(({ role }) => role === 'system')
    .map(({ content }) => partsOf(content).map(textOfPart).join(''))
    .filter((text) => text !== '')
    .join('\n\n');
  const toolNames = new Map<string, string>();
  const turns = messages.flatMap((message, index) => turnOf(message, index, toolNames));
  if (turns.length > 0 || instructions === '') return { instructions, turns };
  return {
    instructions: '',
    turns: [{ role: 'user', parts: [{ kind: 'text', text: instructions }] }],
  };
}

function turnOf(
  message: JsonObject,
  index: number,
  toolNames: Map<string, string>,
): readonly ChatTurn[] {
  switch (message.role) {
    case 'user': {
      const parts = partsOf(message.content).filter((part) => part.kind !== 'text' || part.text);
      return parts.length === 0 ? [] : [{ role: 'user', parts }];
    }
    case 'assistant': {
      const text = partsOf(message.content).map(textOfPart).join('');
      const calls = asList(message.tool_calls).map((called, place) =>
        toolCallOf(asObject(called) ?? {}, `messages[${index}].tool_calls[${place}]`),
      );
      for (const { id, name } of calls) toolNames.set(id, name);
      return text === '' && calls.length === 0 ? [] : [{ role: 'assistant', text, calls }];
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

/** Reads the members as the edge checked them; absent ones are neutral. */
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
export function dataOf(
  url: string,
): { readonly mediaType: string; readonly base64: string } | undefined {
  const comma = url.indexOf(',');
  const head = /^data:([\w.+-]+\/[\w.+-]+);base64$/i.exec(url.slice(0, Math.max(0, comma)));
  const mediaType = head?.[1];
  return mediaType === undefined
    ? undefined
    : { mediaType: mediaType.toLowerCase(), base64: url.slice(comma + 1) };
}
