import { z } from 'zod';
import { REASONING_EFFORTS } from '../canonical';
import { fieldsOf, isAbsent } from '../fields';
import {
  fileDataSchema,
  filenameSchema,
  imageDetailSchema,
  imageUrlSchema,
  MEDIA_BOUNDS,
} from '../media';
import { CHAT_BOUNDS, fallbacksSchema, requestedModelSchema } from '../shared-fields';
import { answeredThoughtSchemas, thinkingBlocksSchema } from '../thoughts';

/**
 * The chat request as the OpenAPI document shows it. Requests are checked by hand, in
 * request.ts; fields are in the order of those checks, so that the first fault is the same.
 */

const textPart = z.object({ type: z.literal('text'), text: z.string() });
const content = z
  .union([z.string(), z.array(textPart).min(1)])
  .describe('Text, or an array of text parts, which are joined.');

const toolCall = z.object({
  id: z.string(),
  type: z.literal('function'),
  function: z.object({ name: z.string(), arguments: z.string() }),
});
const toolCalls = z.array(toolCall).max(CHAT_BOUNDS.toolCallsMax);
const toolName = z.string().min(1).max(CHAT_BOUNDS.toolNameLengthMax);

const imagePart = z.object({
  type: z.literal('image_url'),
  image_url: z.object({ url: imageUrlSchema, detail: imageDetailSchema }),
});
const filePart = z.object({
  type: z.literal('file'),
  file: z.object({ file_data: fileDataSchema, filename: filenameSchema }),
});
const userMessage = z.object({
  role: z.literal('user'),
  content: z
    .union([
      z.string(),
      z.array(z.discriminatedUnion('type', [textPart, imagePart, filePart])).min(1),
    ])
    .describe('Text, or an array of parts; texts without an image or a file are joined.'),
});
const plainMessage = z.object({ role: z.enum(['system', 'developer']), content });
const assistantMessage = z.object({
  role: z.literal('assistant'),
  content: content.nullish().describe('May be absent when tool_calls are given.'),
  tool_calls: toolCalls.nullish(),
  reasoning_content: z
    .string()
    .nullish()
    .describe('What it thought, as it came; vendors that take no thoughts back do not get it.'),
  thinking_blocks: thinkingBlocksSchema
    .nullish()
    .describe('The same as its vendor signed it; in place of reasoning_content.'),
});
const toolMessage = z.object({
  role: z.literal('tool'),
  content,
  tool_call_id: z.string().min(1).max(CHAT_BOUNDS.toolCallIdLengthMax),
});
const message = z
  .discriminatedUnion('role', [userMessage, plainMessage, assistantMessage, toolMessage])
  .superRefine((value, context) => {
    if (value.role !== 'assistant') return;
    const hasCalls = (value.tool_calls?.length ?? 0) > 0;
    if (hasCalls || !isAbsent(value.content)) return;
    context.addIssue({ code: 'custom', path: ['content'], message: 'content is required' });
  });

function mediaIn({ content: parts }: z.infer<typeof message>): readonly unknown[] {
  return Array.isArray(parts) ? parts.filter(({ type }) => type !== 'text') : [];
}

const stopWord = z.string().min(1).max(CHAT_BOUNDS.stopLengthMax);
const penalty = z.number().min(CHAT_BOUNDS.penaltyMin).max(CHAT_BOUNDS.penaltyMax);
const maxTokens = z.int().min(1).max(CHAT_BOUNDS.maxTokensMax);
const namedFunction = z.object({ name: toolName });

/** `POST /v1/llm/chat/completions` and `POST /v1/chat/completions`. */
export const chatRequestSchema = z
  .object({
    model: requestedModelSchema,
    models: fallbacksSchema,
    messages: z
      .array(message)
      .min(1)
      .max(CHAT_BOUNDS.messagesMax)
      .refine((messages) => messages.flatMap(mediaIn).length <= MEDIA_BOUNDS.mediaMax),
    temperature: z.number().min(0).max(CHAT_BOUNDS.temperatureMax).nullish(),
    top_p: z.number().min(0).max(CHAT_BOUNDS.topPMax).nullish(),
    max_tokens: maxTokens.nullish(),
    max_completion_tokens: maxTokens.nullish(),
    stream: z.boolean().nullish(),
    stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
    stop: z.union([stopWord, z.array(stopWord).max(CHAT_BOUNDS.stopMax)]).nullish(),
    presence_penalty: penalty.nullish(),
    frequency_penalty: penalty.nullish(),
    user: z.string().max(CHAT_BOUNDS.userLengthMax).nullish(),
    seed: z.int().nullish(),
    metadata: z.record(z.string(), z.unknown()).nullish(),
    n: z.int().min(1).max(CHAT_BOUNDS.choicesMax).nullish(),
    tools: z
      .array(z.looseObject({ type: z.literal('function'), function: namedFunction.loose() }))
      .max(CHAT_BOUNDS.toolsMax)
      .nullish(),
    tool_choice: z
      .union([
        z.enum(['none', 'auto', 'required']),
        z.looseObject({ type: z.literal('function'), function: namedFunction.loose() }),
      ])
      .nullish(),
    parallel_tool_calls: z.boolean().nullish(),
    response_format: z
      .union([
        z.looseObject({ type: z.enum(['text', 'json_object']) }),
        z.looseObject({
          type: z.literal('json_schema'),
          json_schema: z.record(z.string(), z.unknown()),
        }),
      ])
      .nullish(),
    logprobs: z.boolean().nullish(),
    top_logprobs: z.int().min(0).max(CHAT_BOUNDS.topLogprobsMax).nullish(),
    logit_bias: z
      .record(z.string(), z.number().min(CHAT_BOUNDS.logitBiasMin).max(CHAT_BOUNDS.logitBiasMax))
      .nullish(),
    reasoning_effort: z.enum(REASONING_EFFORTS).nullish(),
  })
  .superRefine((body, context) => {
    const choice = body.tool_choice;
    if (isAbsent(choice) || choice === 'none' || choice === 'auto') return;
    if ((body.tools?.length ?? 0) > 0) return;
    context.addIssue({ code: 'custom', path: ['tool_choice'], message: 'tools has none' });
  });

/** All else in a body is ignored, and the answer says so. */
export const CHAT_FIELDS = fieldsOf(chatRequestSchema);

const usage = z.object({
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  total_tokens: z.int(),
  prompt_tokens_details: z.object({
    cached_tokens: z.int().describe('Of the prompt, what the vendor had in its cache.'),
    cache_write_tokens: z
      .int()
      .optional()
      .describe('Of the prompt, what the vendor put into its cache; there when it is any.'),
    audio_tokens: z
      .int()
      .optional()
      .describe('Of the prompt, what was audio; there when it is any.'),
  }),
  completion_tokens_details: z.object({
    reasoning_tokens: z.int().describe('Of the completion, what was thought.'),
    audio_tokens: z
      .int()
      .optional()
      .describe('Of the completion, what was audio; there when it is any.'),
  }),
});

/** The completion object: the envelope's `data`, or the whole body on the plain path. */
export const chatCompletionSchema = z.object({
  id: z.string().describe('chatcmpl- and the request id.'),
  object: z.literal('chat.completion'),
  created: z.int().describe('Unix seconds.'),
  model: z.string().describe('The model really used.'),
  choices: z.array(
    z.object({
      index: z.int(),
      message: z.object({
        role: z.literal('assistant'),
        content: z.string().nullable(),
        reasoning_content: z
          .string()
          .optional()
          .describe('What the model thought before, where its vendor tells; delta has it too.'),
        thinking_blocks: z
          .array(z.discriminatedUnion('type', answeredThoughtSchemas))
          .optional()
          .describe(
            'The thoughts as their vendor signed them, to be sent back with the message. In a ' +
              'delta a block ends the reasoning_content before it, and its thinking is empty.',
          ),
        refusal: z.string().nullish().describe('What the model said in place of an answer.'),
        tool_calls: z
          .array(toolCall.loose())
          .optional()
          .describe('As the vendor gave them, whatever else it says in them.'),
      }),
      logprobs: z.record(z.string(), z.unknown()).optional(),
      finish_reason: z.enum(['stop', 'length', 'content_filter', 'tool_calls']),
    }),
  ),
  usage,
});
