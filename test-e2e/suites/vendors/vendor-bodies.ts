import type Anthropic from '@anthropic-ai/sdk';
import type { Content, GenerationConfig, Tool } from '@google/genai';
import type OpenAI from 'openai';
import { VENDOR_MODEL, type VendorName } from '../../support/vendors/vendor-protocols';

const SCHEMA = { type: 'object' as const, properties: { town: { type: 'string' } } };
const IMAGE = { type: 'image/png' as const, data: 'iVBORw0K' };
const TOWN = { name: 'weather', description: 'Of a town.' };

/** A request that uses most of what every vendor has a word for. */
export const RICH_REQUEST = {
  messages: [
    { role: 'system', content: 'Be kind.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url: `data:${IMAGE.type};base64,${IMAGE.data}` } },
      ],
    },
    {
      role: 'assistant',
      content: 'I look.',
      tool_calls: [
        {
          id: 'call_1',
          type: 'function',
          function: { name: 'weather', arguments: '{"town":"X"}' },
        },
      ],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'rain' },
  ],
  max_tokens: 64,
  temperature: 0.5,
  stop: ['END'],
  tools: [{ type: 'function', function: { ...TOWN, parameters: SCHEMA } }],
  response_format: { type: 'json_schema', json_schema: { name: 'place', schema: SCHEMA } },
} satisfies Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, 'model'>;

interface GeminiBody {
  readonly systemInstruction: Content;
  readonly contents: Content[];
  readonly tools: Tool[];
  readonly generationConfig: GenerationConfig;
}

const OPENAI_BODY: OpenAI.ChatCompletionCreateParamsNonStreaming = {
  model: VENDOR_MODEL,
  ...RICH_REQUEST,
};

const ANTHROPIC_BODY: Anthropic.MessageCreateParamsNonStreaming = {
  model: VENDOR_MODEL,
  max_tokens: 64,
  system: 'Be kind.',
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image', source: { type: 'base64', media_type: IMAGE.type, data: IMAGE.data } },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 'call_1', name: 'weather', input: { town: 'X' } },
      ],
    },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'rain' }],
    },
  ],
  stop_sequences: ['END'],
  tools: [{ ...TOWN, input_schema: SCHEMA }],
  output_config: { format: { type: 'json_schema', schema: SCHEMA } },
};

const GEMINI_BODY: GeminiBody = {
  systemInstruction: { parts: [{ text: 'Be kind.' }] },
  contents: [
    {
      role: 'user',
      parts: [
        { text: 'What is this?' },
        { inlineData: { mimeType: IMAGE.type, data: IMAGE.data } },
      ],
    },
    {
      role: 'model',
      parts: [{ text: 'I look.' }, { functionCall: { name: 'weather', args: { town: 'X' } } }],
    },
    {
      role: 'user',
      parts: [{ functionResponse: { name: 'weather', response: { output: 'rain' } } }],
    },
  ],
  tools: [{ functionDeclarations: [{ ...TOWN, parametersJsonSchema: SCHEMA }] }],
  generationConfig: {
    temperature: 0.5,
    maxOutputTokens: 64,
    stopSequences: ['END'],
    responseMimeType: 'application/json',
    responseJsonSchema: SCHEMA,
  },
};

/** What each vendor gets of it: the types are those of the vendors' own packages. */
export const RICH_BODIES: Readonly<Record<VendorName, object>> = {
  azure: OPENAI_BODY,
  // The package has no temperature any more; models before the newest take one.
  anthropic: { ...ANTHROPIC_BODY, temperature: 0.5 },
  gemini: GEMINI_BODY,
};
