import {
  answerBoundOf,
  anthropicTarget,
  type ChannelType,
  geminiModelsTarget,
  geminiTarget,
  isObject,
  type JsonObject,
  MODEL_BOUNDS,
  openaiModelsTarget,
  openaiTarget,
  type VendorTarget,
} from '@tollgate/core';
import type { Channel } from '../domain/channel';
import type { ListedModel } from '../domain/ports';

/** A request for an answer of one token; for more where a vendor gives none of one. */
export interface ProbeRequest extends VendorTarget {
  readonly body: unknown;
}

/** What of a channel decides how it is asked. */
type ProbedChannel = Pick<Channel, 'baseUrl' | 'capabilities'>;

/** Just enough of a vendor's protocol to see whether a channel works and what it serves. */
export interface ProbeProtocol {
  toRequest(channel: ProbedChannel, credential: string, model: string): ProbeRequest;
  /** In sentences. */
  readonly answerName: string;
  /** Whether a body without an error is an answer: any text may come with status 200. */
  isAnswer(body: JsonObject): boolean;
  /** The first page of the vendor's models; those that come later have to be named. */
  toModelsRequest(credential: string): VendorTarget;
  /** The models in such a page, with the limits that it tells; none in anything else. */
  fromModels(body: JsonObject): readonly ListedModel[];
}

const PROMPT = 'ping';
/**
 * For models whose thoughts count: some of OpenAI's answer 400 when they reach the bound before
 * they have finished, which looks like a fault of the channel. On the prompt above they think far
 * less than this, and only what they generate is paid.
 */
const WITH_THOUGHTS_MAX = 4096;

const openai: ProbeProtocol = {
  answerName: 'a completion',
  toRequest(channel, credential, model) {
    const bound = answerBoundOf(channel, model);
    const tokens = bound === 'max_tokens' ? 1 : WITH_THOUGHTS_MAX;
    return {
      ...openaiTarget({ ...channel, credential }, 'chat/completions', model),
      body: { model, messages: [{ role: 'user', content: PROMPT }], [bound]: tokens },
    };
  },
  isAnswer({ choices }) {
    const [choice] = Array.isArray(choices) ? (choices as readonly unknown[]) : [];
    return isObject(choice) && isObject(choice.message);
  },
  toModelsRequest: openaiModelsTarget,
  // The protocol has no word for limits; those who add one call it by different names.
  fromModels: ({ data }) =>
    entriesOf(data).flatMap((entry) => {
      const { context_length, context_window, max_context_length, max_model_len } = entry;
      const contexts = [context_length, context_window, max_context_length, max_model_len];
      return toListed(entry.id, contexts.find(isTokens), entry.max_completion_tokens);
    }),
};

const anthropic: ProbeProtocol = {
  answerName: 'a completion',
  toRequest: (_channel, credential, model) => ({
    ...anthropicTarget(credential, 'messages'),
    body: { model, messages: [{ role: 'user', content: PROMPT }], max_tokens: 1 },
  }),
  isAnswer: ({ type, content }) => type === 'message' && Array.isArray(content),
  toModelsRequest: (credential) => anthropicTarget(credential, 'models'),
  fromModels: ({ data }) =>
    entriesOf(data).flatMap((entry) =>
      toListed(entry.id, entry.max_input_tokens, entry.max_tokens),
    ),
};

const gemini: ProbeProtocol = {
  answerName: 'a completion',
  toRequest: (_channel, credential, model) => ({
    ...geminiTarget(credential, 'generateContent', model),
    body: {
      contents: [{ role: 'user', parts: [{ text: PROMPT }] }],
      generationConfig: { maxOutputTokens: 1 },
    },
  }),
  // A model may think its one token away and say nothing.
  isAnswer: ({ candidates }) => Array.isArray(candidates) && candidates.length > 0,
  toModelsRequest: geminiModelsTarget,
  // Models for embeddings and images are in the same list.
  fromModels: ({ models }) =>
    entriesOf(models).flatMap((entry) => {
      const { name, supportedGenerationMethods: methods } = entry;
      if (!Array.isArray(methods) || !methods.includes('generateContent')) return [];
      const own = typeof name === 'string' ? name.replace(/^models\//, '') : name;
      return toListed(own, entry.inputTokenLimit, entry.outputTokenLimit);
    }),
};

/** How each type of channel is asked. */
export const PROBE_PROTOCOLS: Readonly<Record<ChannelType, ProbeProtocol>> = {
  openai,
  anthropic,
  gemini,
  simulator: openai,
};

type EmbeddingProbe = Pick<ProbeProtocol, 'answerName' | 'isAnswer' | 'toRequest'>;

const openaiEmbeddings: EmbeddingProbe = {
  answerName: 'an embedding',
  toRequest: (channel, credential, model) => ({
    ...openaiTarget({ ...channel, credential }, 'embeddings', model),
    body: { model, input: PROMPT },
  }),
  isAnswer({ data }) {
    const [first] = Array.isArray(data) ? (data as readonly unknown[]) : [];
    return isObject(first) && first.embedding !== undefined;
  },
};

/** How a model that embeds is asked for one vector; absent where the protocol has none. */
export const EMBEDDING_PROBES: Readonly<Partial<Record<ChannelType, EmbeddingProbe>>> = {
  openai: openaiEmbeddings,
  simulator: openaiEmbeddings,
  gemini: {
    answerName: 'an embedding',
    toRequest: (_channel, credential, model) => ({
      ...geminiTarget(credential, 'embedContent', model),
      body: { content: { parts: [{ text: PROMPT }] } },
    }),
    isAnswer: ({ embedding }) => isObject(embedding) && Array.isArray(embedding.values),
  },
};

/** The objects in a list; everything else is left out. */
function entriesOf(list: unknown): readonly JsonObject[] {
  return Array.isArray(list) ? (list as readonly unknown[]).filter(isObject) : [];
}

/** Limits that are no numbers of tokens are left out, an entry without a name altogether. */
function toListed(name: unknown, context: unknown, longest: unknown): readonly ListedModel[] {
  if (typeof name !== 'string') return [];
  return [
    {
      name,
      ...(isTokens(context) ? { contextLength: context } : {}),
      ...(isTokens(longest) ? { maxCompletionTokens: longest } : {}),
    },
  ];
}

function isTokens(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MODEL_BOUNDS.tokensMax;
}
