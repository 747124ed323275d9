import { z } from 'zod';
import { REASONING_EFFORTS } from '../canonical';
import { fileDataSchema, filenameSchema, imageDetailSchema, imageUrlSchema } from '../media';
import { CHAT_BOUNDS, fallbacksSchema, requestedModelSchema } from '../shared-fields';

/** Bounds that this format has in its own way; the others are those of chat completions. */
export const RESPONSES_BOUNDS = {
  metadataMax: 16,
  metadataNameLengthMax: 64,
  metadataValueLengthMax: 512,
} as const;

/** All leave the choice to the service. */
export const SERVICE_TIERS = ['auto', 'default'] as const;

/** The one extra of an answer; items of reasoning have it unasked, where their vendor signed. */
export const INCLUDED = 'reasoning.encrypted_content';

/**
 * The request as the OpenAPI document shows it. Requests are checked by hand, in request.ts and
 * input.ts; a test holds the two together.
 */

const hint = z.string().nullish().describe('Accepted and without effect.');
const callId = z.string().min(1).max(CHAT_BOUNDS.toolCallIdLengthMax);
const toolName = z.string().min(1).max(CHAT_BOUNDS.toolNameLengthMax);
const inputText = z.strictObject({ type: z.literal('input_text'), text: z.string() });
const inputContent = z.union([z.string(), z.array(inputText).min(1)]);
const inputPart = z.discriminatedUnion('type', [
  inputText,
  z.strictObject({
    type: z.literal('input_image'),
    image_url: imageUrlSchema,
    detail: imageDetailSchema,
  }),
  z.strictObject({
    type: z.literal('input_file'),
    file_data: fileDataSchema,
    filename: filenameSchema,
  }),
]);
const outputText = z.strictObject({
  type: z.literal('output_text'),
  text: z.string(),
  annotations: z.array(z.unknown()).max(0).nullish(),
  logprobs: z.array(z.unknown()).max(0).nullish(),
});
const refusal = z.strictObject({ type: z.literal('refusal'), refusal: z.string() });
const summaryText = z.strictObject({ type: z.literal('summary_text'), text: z.string() });
const itemParts = {
  id: z.string().nullish().describe('Of an earlier answer; nothing is looked up.'),
  status: z.string().nullish(),
};
export const reasoningSchema = z.strictObject({
  ...itemParts,
  type: z.literal('reasoning'),
  summary: z.array(summaryText).nullish(),
  content: z
    .array(z.strictObject({ type: z.literal('reasoning_text'), text: z.string() }))
    .nullish(),
  encrypted_content: z.string().nullish().describe('As it came; of other services nothing.'),
});
const item = z.union([
  z.strictObject({
    ...itemParts,
    type: z.literal('message').nullish(),
    role: z.literal('user'),
    content: z.union([z.string(), z.array(inputPart).min(1)]),
  }),
  z.strictObject({
    ...itemParts,
    type: z.literal('message').nullish(),
    role: z.enum(['system', 'developer']),
    content: inputContent,
  }),
  z.strictObject({
    ...itemParts,
    type: z.literal('message').nullish(),
    role: z.literal('assistant'),
    content: z.union([
      z.string(),
      z.array(z.discriminatedUnion('type', [outputText, refusal])).min(1),
    ]),
  }),
  z.strictObject({
    ...itemParts,
    type: z.literal('function_call'),
    call_id: callId,
    name: toolName,
    arguments: z.string(),
  }),
  reasoningSchema,
  z.strictObject({
    ...itemParts,
    type: z.literal('function_call_output'),
    call_id: z.string().describe('Of a function_call before.'),
    output: inputContent,
  }),
]);
export const toolSchema = z.strictObject({
  type: z.literal('function'),
  name: toolName,
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish().describe('JSON Schema of its arguments.'),
  strict: z.boolean().nullish(),
});
const textFormat = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text') }),
  z.strictObject({ type: z.literal('json_object') }),
  z.strictObject({
    type: z.literal('json_schema'),
    name: z.string().min(1).max(CHAT_BOUNDS.toolNameLengthMax),
    schema: z.record(z.string(), z.unknown()),
    description: z.string().nullish(),
    strict: z.boolean().nullish(),
  }),
]);

/** `POST /v1/responses`. */
export const responsesRequestSchema = z.strictObject({
  model: requestedModelSchema,
  models: fallbacksSchema,
  input: z.union([z.string(), z.array(item).min(1).max(CHAT_BOUNDS.messagesMax)]),
  instructions: z.string().nullish(),
  max_output_tokens: z.int().min(1).max(CHAT_BOUNDS.maxTokensMax).nullish(),
  temperature: z.number().min(0).max(CHAT_BOUNDS.temperatureMax).nullish(),
  top_p: z.number().min(0).max(CHAT_BOUNDS.topPMax).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.strictObject({ include_obfuscation: z.boolean().nullish() }).nullish(),
  store: z.literal(false).nullish().describe('Nothing of an answer is kept.'),
  text: z.strictObject({ format: textFormat.nullish() }).nullish(),
  reasoning: z
    .strictObject({
      effort: z.enum(REASONING_EFFORTS).nullish(),
      summary: z.literal('auto').nullish().describe('What the vendor tells of the thoughts.'),
    })
    .nullish(),
  tools: z.array(toolSchema).max(CHAT_BOUNDS.toolsMax).nullish(),
  tool_choice: z
    .union([
      z.enum(['none', 'auto', 'required']),
      z.strictObject({ type: z.literal('function'), name: z.string() }),
    ])
    .nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  metadata: z
    .record(
      z.string().max(RESPONSES_BOUNDS.metadataNameLengthMax),
      z.string().max(RESPONSES_BOUNDS.metadataValueLengthMax),
    )
    .refine((value) => Object.keys(value).length <= RESPONSES_BOUNDS.metadataMax)
    .nullish()
    .describe('Comes back with the answer.'),
  user: z.string().max(CHAT_BOUNDS.userLengthMax).nullish(),
  safety_identifier: z.string().max(CHAT_BOUNDS.userLengthMax).nullish(),
  prompt_cache_key: hint,
  prompt_cache_retention: hint,
  service_tier: z.enum(SERVICE_TIERS).nullish().describe('Both mean the same here.'),
  truncation: z.literal('disabled').nullish(),
  include: z.array(z.literal(INCLUDED)).nullish().describe('Without effect: it comes unasked.'),
});

const status = z.enum(['completed', 'incomplete', 'in_progress']);

/** A whole answer; the events of a stream build the same. */
export const responseSchema = z.object({
  id: z.string().describe('resp_ and the request id.'),
  object: z.literal('response'),
  created_at: z.int().describe('Unix seconds.'),
  status: z.enum(['completed', 'incomplete', 'in_progress', 'failed']),
  model: z.string().describe('The model really used.'),
  output: z.array(
    z.discriminatedUnion('type', [
      z.object({
        type: z.literal('reasoning'),
        id: z.string(),
        status,
        summary: z
          .array(z.object({ type: z.literal('summary_text'), text: z.string() }))
          .describe('What the model thought, where its vendor tells.'),
        encrypted_content: z
          .string()
          .optional()
          .describe('The thoughts as their vendor signed them, to be sent back with the item.'),
      }),
      z.object({
        type: z.literal('message'),
        id: z.string(),
        status,
        role: z.literal('assistant'),
        content: z.array(
          z.discriminatedUnion('type', [
            z.object({
              type: z.literal('output_text'),
              text: z.string(),
              annotations: z.array(z.unknown()),
              logprobs: z.array(z.unknown()),
            }),
            z.object({ type: z.literal('refusal'), refusal: z.string() }),
          ]),
        ),
      }),
      z.object({
        type: z.literal('function_call'),
        id: z.string(),
        status,
        call_id: z.string(),
        name: z.string(),
        arguments: z.string(),
      }),
    ]),
  ),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  incomplete_details: z
    .object({ reason: z.enum(['max_output_tokens', 'content_filter']) })
    .nullable(),
  usage: z
    .object({
      input_tokens: z.int(),
      input_tokens_details: z.object({
        cached_tokens: z.int(),
        cache_write_tokens: z.int().optional(),
        audio_tokens: z.int().optional(),
      }),
      output_tokens: z.int(),
      output_tokens_details: z.object({
        reasoning_tokens: z.int(),
        audio_tokens: z.int().optional(),
      }),
      total_tokens: z.int(),
    })
    .nullable(),
  instructions: z.string().nullable(),
  max_output_tokens: z.int().nullable(),
  temperature: z.number().nullable(),
  top_p: z.number().nullable(),
  text: z.object({ format: z.looseObject({ type: z.string() }) }),
  reasoning: z.object({ effort: z.string().nullable(), summary: z.null() }),
  tools: z.array(z.looseObject({ type: z.string() })),
  tool_choice: z.union([z.string(), z.looseObject({ type: z.string() })]),
  parallel_tool_calls: z.boolean(),
  metadata: z.record(z.string(), z.string()),
  user: z.string().nullable(),
  store: z.literal(false),
  background: z.literal(false),
  previous_response_id: z.null(),
  truncation: z.literal('disabled'),
});
