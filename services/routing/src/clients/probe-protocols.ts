import {
  type ChannelType,
  isObject,
  type JsonObject,
  MODEL_BOUNDS,
  refusesMaxTokens,
} from '@tollgate/core';
import type { Channel } from '../domain/channel';
import type { ListedModel } from '../domain/ports';

/** A request for an answer of one token; for more where a vendor gives none of one. */
export interface ProbeRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
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
  toModelsRequest(baseUrl: string, credential: string): Omit<ProbeRequest, 'body'>;
  /** The models in such a page, with the limits that it tells; none in anything else. */
  fromModels(body: JsonObject): readonly ListedModel[];
}

const PROMPT = 'ping';
const ANTHROPIC_VERSION = '2023-06-01';
/**
 * For models whose thoughts count: some of OpenAI's answer 400 when they reach the bound before
 * they have finished, which looks like a fault of the channel. On the prompt above they think far
 * less than this, and only what they generate is paid.
 */
const WITH_THOUGHTS_MAX = 4096;

const openai: ProbeProtocol = {
  answerName: 'a completion',
  toRequest(channel, credential, model) {
    const { baseUrl } = channel;
    const bound = refusesMaxTokens(channel, model)
      ? { max_completion_tokens: WITH_THOUGHTS_MAX }
      : { max_tokens: 1 };
    const body = { model, messages: [{ role: 'user', content: PROMPT }], ...bound };
    const url = new URL(baseUrl);
    const version = url.searchParams.get('api-version');
    // A base URL of Azure bears a version; there the deployment stands in the path.
    if (version !== null) {
      const path = `deployments/${encodeURIComponent(model)}/chat/completions`;
      const headers = withCredential('api-key', credential);
      return { url: under(baseUrl, `${path}?api-version=${version}`), headers, body };
    }
    const headers = withCredential('authorization', credential, 'Bearer ');
    return { url: under(baseUrl, 'chat/completions'), headers, body };
  },
  isAnswer({ choices }) {
    const [choice] = Array.isArray(choices) ? (choices as readonly unknown[]) : [];
    return isObject(choice) && isObject(choice.message);
  },
  toModelsRequest: (baseUrl, credential) => ({
    url: under(baseUrl, 'models'),
    headers: withCredential('authorization', credential, 'Bearer '),
  }),
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
  toRequest: ({ baseUrl }, credential, model) => ({
    url: under(baseUrl, 'messages'),
    headers: anthropicHeaders(credential),
    body: { model, messages: [{ role: 'user', content: PROMPT }], max_tokens: 1 },
  }),
  isAnswer: ({ type, content }) => type === 'message' && Array.isArray(content),
  toModelsRequest: (baseUrl, credential) => ({
    url: under(baseUrl, 'models'),
    headers: anthropicHeaders(credential),
  }),
  fromModels: ({ data }) =>
    entriesOf(data).flatMap((entry) =>
      toListed(entry.id, entry.max_input_tokens, entry.max_tokens),
    ),
};

const gemini: ProbeProtocol = {
  answerName: 'a completion',
  toRequest({ baseUrl }, credential, model) {
    const resource = model.includes('/') ? model : `models/${encodeURIComponent(model)}`;
    return {
      url: under(baseUrl, `${resource}:generateContent`),
      headers: withCredential('x-goog-api-key', credential),
      body: {
        contents: [{ role: 'user', parts: [{ text: PROMPT }] }],
        generationConfig: { maxOutputTokens: 1 },
      },
    };
  },
  // A model may think its one token away and say nothing.
  isAnswer: ({ candidates }) => Array.isArray(candidates) && candidates.length > 0,
  toModelsRequest: (baseUrl, credential) => ({
    url: under(baseUrl, 'models'),
    headers: withCredential('x-goog-api-key', credential),
  }),
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
  toRequest(channel, credential, model) {
    const chat = openai.toRequest(channel, credential, model);
    return {
      ...chat,
      url: chat.url.replace('/chat/completions', '/embeddings'),
      body: { model, input: PROMPT },
    };
  },
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
    toRequest(channel, credential, model) {
      const chat = gemini.toRequest(channel, credential, model);
      return {
        ...chat,
        url: chat.url.replace(/:generateContent$/, ':embedContent'),
        body: { content: { parts: [{ text: PROMPT }] } },
      };
    },
    isAnswer: ({ embedding }) => isObject(embedding) && Array.isArray(embedding.values),
  },
};

/** The address of something under the base URL, whose own query is no part of it. */
function under(baseUrl: string, path: string): string {
  const [base = ''] = baseUrl.split('?');
  return `${base.replace(/\/+$/, '')}/${path}`;
}

function anthropicHeaders(credential: string): Record<string, string> {
  return {
    ...withCredential('x-api-key', credential),
    'anthropic-version': ANTHROPIC_VERSION,
  };
}

function withCredential(name: string, credential: string, scheme = ''): Record<string, string> {
  return credential === '' ? {} : { [name]: `${scheme}${credential}` };
}

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
