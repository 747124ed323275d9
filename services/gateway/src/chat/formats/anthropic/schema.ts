import { ERROR_CODES, type ErrorDefinition } from '@tollgate/core';
import { z } from 'zod';
import { BASE64, filenameSchema, IMAGE_TYPES, imageUrlSchema } from '../media';
import { CHAT_BOUNDS, fallbacksSchema, requestedModelSchema } from '../shared-fields';
import { answeredThoughtSchemas, redactedThinkingSchema, thinkingBlockSchema } from '../thoughts';

/** Bounds that this format has in its own way; the others are those of chat completions. */
export const MESSAGES_BOUNDS = { temperatureMax: 1, thinkingBudgetMin: 1024 } as const;

/** Those of all efforts that this format has words for. */
export const EFFORTS = ['low', 'medium', 'high', 'xhigh'] as const;

export const SERVICE_TIERS = ['auto', 'standard_only'] as const;

/**
 * The request as the OpenAPI document shows it. Requests are checked by hand, in request.ts and
 * messages.ts; a test holds the two together.
 */

const hint = z
  .record(z.string(), z.unknown())
  .nullish()
  .describe('The prompt up to here is to be kept; vendors of other protocols do it unasked.');
const textBlock = z.strictObject({
  type: z.literal('text'),
  text: z.string(),
  cache_control: hint,
});
const text = z.union([z.string(), z.array(textBlock).min(1)]);
const imageTypes = z.enum(IMAGE_TYPES);
const base64 = z.string().regex(BASE64);
const imageBlock = z.strictObject({
  type: z.literal('image'),
  source: z.discriminatedUnion('type', [
    z.object({ type: z.literal('base64'), media_type: imageTypes, data: base64 }),
    z.object({ type: z.literal('url'), url: imageUrlSchema.regex(/^http/i) }),
  ]),
  cache_control: hint,
});
const documentBlock = z.strictObject({
  type: z.literal('document'),
  source: z.object({
    type: z.literal('base64'),
    media_type: z.literal('application/pdf'),
    data: base64,
  }),
  title: filenameSchema,
  cache_control: hint,
});
const toolUse = z.strictObject({
  type: z.literal('tool_use'),
  id: z.string().min(1).max(CHAT_BOUNDS.toolCallIdLengthMax),
  name: z.string().min(1).max(CHAT_BOUNDS.toolNameLengthMax),
  input: z.record(z.string(), z.unknown()),
  cache_control: hint,
});
const toolResult = z.strictObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string().describe('Of a tool_use block in an earlier message.'),
  content: z.union([z.string(), z.array(textBlock)]).nullish(),
  is_error: z.boolean().nullish().describe('True puts "Error: " before the content.'),
  cache_control: hint,
});
const assistantBlocks = [textBlock, toolUse, thinkingBlockSchema, redactedThinkingSchema] as const;
const message = z.discriminatedUnion('role', [
  z.strictObject({
    role: z.literal('user'),
    content: z
      .union([
        z.string(),
        z
          .array(z.discriminatedUnion('type', [textBlock, imageBlock, documentBlock, toolResult]))
          .min(1),
      ])
      .describe('Results of tools come before everything else.'),
  }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.union([z.string(), z.array(z.discriminatedUnion('type', assistantBlocks)).min(1)]),
  }),
]);
export const toolSchema = z.strictObject({
  type: z.literal('custom').nullish(),
  name: z.string().min(1).max(CHAT_BOUNDS.toolNameLengthMax),
  description: z.string().nullish(),
  input_schema: z.record(z.string(), z.unknown()).describe('JSON Schema of its arguments.'),
  strict: z.boolean().nullish(),
  cache_control: hint,
});
const display = z
  .literal('summarized')
  .nullish()
  .describe('Thoughts are shown where their vendor tells them.');
const thinking = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('enabled'),
    budget_tokens: z
      .int()
      .min(MESSAGES_BOUNDS.thinkingBudgetMin)
      .max(CHAT_BOUNDS.maxTokensMax)
      .describe('Below max_tokens. Vendors that are told in words get low, medium or high.'),
    display,
  }),
  z.strictObject({ type: z.literal('adaptive'), display }),
  z.strictObject({ type: z.literal('disabled') }),
]);
const stopSequence = z.string().min(1).max(CHAT_BOUNDS.stopLengthMax);

/** `POST /v1/messages`. */
export const messagesRequestSchema = z.strictObject({
  model: requestedModelSchema,
  models: fallbacksSchema,
  system: text.nullish(),
  messages: z.array(message).min(1).max(CHAT_BOUNDS.messagesMax),
  max_tokens: z.int().min(1).max(CHAT_BOUNDS.maxTokensMax),
  stop_sequences: z.array(stopSequence).max(CHAT_BOUNDS.stopMax).nullish(),
  temperature: z.number().min(0).max(MESSAGES_BOUNDS.temperatureMax).nullish(),
  top_p: z.number().min(0).max(CHAT_BOUNDS.topPMax).nullish(),
  metadata: z
    .strictObject({ user_id: z.string().max(CHAT_BOUNDS.userLengthMax).nullish() })
    .nullish(),
  stream: z.boolean().nullish(),
  service_tier: z.enum(SERVICE_TIERS).nullish().describe('Both mean the same here.'),
  tools: z.array(toolSchema).max(CHAT_BOUNDS.toolsMax).nullish(),
  tool_choice: z
    .strictObject({
      type: z.enum(['auto', 'any', 'tool', 'none']),
      name: z.string().nullish().describe('With type tool: the name of one of tools.'),
      disable_parallel_tool_use: z.boolean().nullish(),
    })
    .nullish(),
  output_config: z
    .strictObject({
      format: z
        .strictObject({
          type: z.literal('json_schema'),
          schema: z.record(z.string(), z.unknown()),
        })
        .nullish(),
      effort: z.enum(EFFORTS).nullish(),
    })
    .nullish(),
  thinking: thinking
    .nullish()
    .describe('Asks for thoughts as output_config.effort does; an effort beside it goes before.'),
  cache_control: hint,
});

/** `POST /v1/messages/count_tokens`: what of a message becomes its prompt. */
export const countRequestSchema = messagesRequestSchema.pick({
  model: true,
  models: true,
  system: true,
  messages: true,
  tools: true,
  tool_choice: true,
  output_config: true,
  thinking: true,
  cache_control: true,
});

/** A whole answer; the events of a stream build the same. */
export const messageSchema = z.object({
  id: z.string().describe('msg_ and the request id.'),
  type: z.literal('message'),
  role: z.literal('assistant'),
  model: z.string().describe('The model really used.'),
  content: z.array(
    z.discriminatedUnion('type', [
      ...answeredThoughtSchemas,
      z.object({ type: z.literal('text'), text: z.string() }),
      z.object({
        type: z.literal('tool_use'),
        id: z.string(),
        name: z.string(),
        input: z
          .record(z.string(), z.unknown())
          .describe('{"raw_arguments": text} when the answer was cut off in the middle of it.'),
      }),
    ]),
  ),
  stop_reason: z.enum(['end_turn', 'max_tokens', 'tool_use', 'refusal']),
  stop_sequence: z.null(),
  usage: z.object({
    input_tokens: z.int().describe('Without those that came from a cache or went there.'),
    output_tokens: z.int(),
    cache_creation_input_tokens: z.int(),
    cache_read_input_tokens: z.int(),
  }),
});

/** Its own words for failures. */
const ERROR_TYPES = [
  'invalid_request_error',
  'authentication_error',
  'billing_error',
  'permission_error',
  'not_found_error',
  'request_too_large',
  'rate_limit_error',
  'api_error',
  'timeout_error',
  'overloaded_error',
] as const;

const CODES = Object.entries<ErrorDefinition>(ERROR_CODES).map(
  ([code, { openaiCode }]) => openaiCode ?? code,
);

/** The body of every failure, and the data of an error event. */
export const messagesFailureSchema = z.object({
  type: z.literal('error'),
  error: z.object({
    type: z.enum(ERROR_TYPES),
    message: z.string(),
    code: z.enum(CODES).describe('Of the table that all paths share.'),
    param: z.string().nullable().describe('The member at fault.'),
  }),
});
