import type { AppError, JsonObject, Thought } from '@tollgate/core';
import type { completionV1 } from '@tollgate/protos';
import { invalidField } from '../../http/errors';
import type { ChatRequest } from '../request';
import { type CacheMark, requireFewMarks } from './cache-marks';

/**
 * The one form of every format: messages and fields as chat completions have them, because
 * completion sends them on as they are. Formats differ in how they are checked, and in nothing
 * behind that.
 */
export interface CanonicalRequest {
  readonly model: string;
  readonly fallbackModels: readonly string[];
  readonly messages: readonly CanonicalMessage[];
  readonly stream: boolean;
  /** The stream ends with the usage. */
  readonly includeUsage: boolean;
  readonly sampling: Sampling;
  readonly capabilities: CapabilityFields;
  /** The capabilities that the messages need, and the first field that needs each. */
  readonly needs: MessageNeeds;
  /** Up to where the prompt shall be kept by the vendor. */
  readonly cacheMarks: readonly CacheMark[];
  /** Tokens to think for, beside the effort; 0 asks for no thoughts. */
  readonly thinkingBudget?: number | undefined;
  /** The format's names of fields that need a capability, where it has other names. */
  readonly capabilityParams?: Readonly<Partial<Record<string, string>>>;
}

/** The messages of a request, instructions first, and what was found in them. */
export type Conversation = Pick<CanonicalRequest, 'messages' | 'needs' | 'cacheMarks'>;

/** A message as it is sent on: canonical fields only, in one order. */
export interface CanonicalMessage {
  readonly role: string;
  /** An array only where it holds an image or a file. */
  readonly content: string | null | readonly CanonicalPart[];
  readonly tool_calls?: readonly CanonicalToolCall[];
  readonly tool_call_id?: string;
  /** What the assistant thought before it; vendors that take none back do not get it. */
  readonly thinking_blocks?: readonly Thought[];
}

/** A part of what a user says; data is a data URL. */
export type CanonicalPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image_url';
      readonly image_url: { readonly url: string; readonly detail?: string };
    }
  | {
      readonly type: 'file';
      readonly file: { readonly filename?: string; readonly file_data: string };
    };

/** Parts of messages that only some channels can serve. */
export type MessageNeeds = Readonly<Partial<Record<'tools' | 'images' | 'files', string>>>;

/** A call of a tool in an assistant's message; `arguments` is JSON. */
export interface CanonicalToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

/** The parameters that every channel knows. */
export type Sampling = Omit<
  completionV1.Parameters,
  | ('cacheMarks' | 'capabilityMembers' | 'requiredCapabilities' | 'capabilityParam')
  | 'thinkingBudget'
>;

/** What only chat completions can say of sampling, for requests of other formats. */
export const UNSAID_SAMPLING = {
  presencePenalty: undefined,
  frequencyPenalty: undefined,
  seed: undefined,
} as const;

/** Capabilities that a candidate must declare; fields that ask for them bear the same names. */
export type Capability =
  | 'tools'
  | 'images'
  | 'files'
  | 'response_format'
  | 'n'
  | 'logprobs'
  | 'logit_bias'
  | 'reasoning_effort';

/** How much a model may think before it answers; vendors have some of these words each. */
export const REASONING_EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const;

export type ReasoningEffort = (typeof REASONING_EFFORTS)[number];

/** The fields that only some channels can serve; each is absent when it is neutral. */
export interface CapabilityFields {
  tools?: readonly unknown[];
  tool_choice?: unknown;
  parallel_tool_calls?: boolean;
  response_format?: JsonObject;
  n?: number;
  logprobs?: true;
  top_logprobs?: number;
  logit_bias?: JsonObject;
  reasoning_effort?: ReasoningEffort;
}

const NO_BYTES = Buffer.alloc(0);

/**
 * Tools and schemas are read again for every vendor that has another protocol. This is a quarter of
 * the longest context of any model.
 */
export const CAPABILITY_BYTES_MAX = 1024 * 1024;

/** Writes the canonical bytes, once. */
export function toChatRequest(request: CanonicalRequest): ChatRequest {
  const { model, fallbackModels, messages, stream, includeUsage, capabilities } = request;
  requireFewMarks(request.cacheMarks);
  const { required, param } = requirementsOf(request);
  const capabilityMembers = param === '' ? NO_BYTES : Buffer.from(JSON.stringify(capabilities));
  if (capabilityMembers.length > CAPABILITY_BYTES_MAX) throw tooLong(request);
  return {
    model,
    fallbackModels,
    messages: Buffer.from(JSON.stringify(messages)),
    messageCount: messages.length,
    media: countMedia(messages),
    stream,
    includeUsage,
    parameters: {
      ...request.sampling,
      capabilityMembers,
      requiredCapabilities: required,
      capabilityParam: param,
      cacheMarks: [...request.cacheMarks],
      thinkingBudget: request.thinkingBudget,
    },
  };
}

/** Named by its format; of several fields the one that is usually the long one. */
function tooLong({ capabilities, capabilityParams }: CanonicalRequest): AppError {
  const fields = ['tools', 'response_format', 'logit_bias'] as const;
  const long = fields.find((field) => capabilities[field] !== undefined) ?? 'tools';
  const rule = `makes the request too long: tools and schemas may have ${CAPABILITY_BYTES_MAX} bytes in all.`;
  return invalidField(capabilityParams?.[long] ?? long, rule);
}

/** Counted where the messages are written, so that nobody has to look for them again. */
function countMedia(messages: readonly CanonicalMessage[]): completionV1.Media | undefined {
  let [bytes, images, files] = [0, 0, 0];
  for (const { content } of messages) {
    if (typeof content === 'string' || content === null) continue;
    for (const part of content) {
      if (part.type === 'image_url') {
        images += 1;
        // An address is read like a text.
        if (part.image_url.url.startsWith('data:')) bytes += part.image_url.url.length;
      } else if (part.type === 'file') {
        files += 1;
        bytes += part.file.file_data.length;
      }
    }
  }
  return images + files === 0 ? undefined : { bytes, images, files };
}

/** Capabilities that a channel must have, and the field to name when none has; may be empty. */
function requirementsOf({ capabilities, needs, capabilityParams }: CanonicalRequest) {
  const required: Capability[] = [];
  let param = '';
  const need = (capability: Capability, field = capabilityParams?.[capability] ?? capability) => {
    required.push(capability);
    if (param === '') param = field;
  };
  if (capabilities.tools !== undefined) need('tools');
  else if (needs.tools !== undefined) need('tools', needs.tools);
  if (needs.images !== undefined) need('images', needs.images);
  if (needs.files !== undefined) need('files', needs.files);
  if (capabilities.response_format !== undefined) need('response_format');
  if (capabilities.n !== undefined) need('n');
  if (capabilities.logprobs !== undefined) need('logprobs');
  if (capabilities.logit_bias !== undefined) need('logit_bias');
  if (capabilities.reasoning_effort !== undefined) need('reasoning_effort');
  return { required, param };
}
