import type { ChannelType } from '@tollgate/core';
import type { CallParameters } from './vendor';

type Members = Readonly<Record<string, unknown>>;

/** A member that a protocol has no word for, and whether a request asks for it. */
interface Gap {
  readonly param: string;
  readonly isAsked: (parameters: CallParameters, members: Members) => boolean;
}

const isPresent = (param: string): Gap => ({
  param,
  isAsked: (_parameters, members) => members[param] !== undefined,
});

const LOGPROBS = isPresent('logprobs');
const LOGIT_BIAS = isPresent('logit_bias');

/** An effort that the vendor has no word for. */
const effortOf = (...words: readonly unknown[]): Gap => ({
  param: 'reasoning_effort',
  isAsked: (_parameters, { reasoning_effort: effort }) => words.includes(effort),
});

const ANTHROPIC_GAPS: readonly Gap[] = [
  // Its scale ends there.
  { param: 'temperature', isAsked: ({ temperature }) => (temperature ?? 0) > 1 },
  {
    // Its models take one of the two.
    param: 'top_p',
    isAsked: ({ temperature, topP }) => (temperature ?? 1) !== 1 && (topP ?? 1) !== 1,
  },
  { param: 'presence_penalty', isAsked: ({ presencePenalty }) => (presencePenalty ?? 0) !== 0 },
  { param: 'frequency_penalty', isAsked: ({ frequencyPenalty }) => (frequencyPenalty ?? 0) !== 0 },
  isPresent('n'),
  {
    param: 'response_format',
    isAsked: (_parameters, { response_format: format }) =>
      (format as Members | undefined)?.type === 'json_object',
  },
  LOGPROBS,
  LOGIT_BIAS,
  effortOf('minimal'),
];

const GEMINI_GAPS: readonly Gap[] = [
  {
    param: 'parallel_tool_calls',
    isAsked: (_parameters, members) => members.parallel_tool_calls === false,
  },
  LOGPROBS,
  LOGIT_BIAS,
  effortOf('none', 'xhigh'),
];

/** Stands for a request for vectors among the members that a protocol may lack. */
export const EMBEDDINGS = 'embeddings';

/** The forms in which vendors speak of vectors. */
export type EmbeddingForm = 'gemini' | 'openai';
const EMBEDDING_FORMS: Readonly<Record<ChannelType, EmbeddingForm | undefined>> = {
  openai: 'openai',
  simulator: 'openai',
  anthropic: undefined,
  gemini: 'gemini',
};

/** Undefined where the vendor has no embeddings. */
export function embeddingFormOf(type: ChannelType): EmbeddingForm | undefined {
  return EMBEDDING_FORMS[type];
}

/** As `findInexpressibleIn`, of a request for vectors. */
export function inexpressibleEmbedding(type: ChannelType): string | undefined {
  return embeddingFormOf(type) === undefined ? EMBEDDINGS : undefined;
}

const GAPS: Readonly<Record<ChannelType, readonly Gap[]>> = {
  openai: [],
  simulator: [],
  anthropic: ANTHROPIC_GAPS,
  gemini: GEMINI_GAPS,
};

/** Finds the member of a request that the protocol of a channel cannot express. */
export type FindInexpressible = (type: ChannelType) => string | undefined;

/**
 * The member of the request that the protocol of such a channel cannot express; undefined when it
 * can express everything. A member is never dropped silently, hints (`seed`, `user`) excepted. A
 * request asks for many channels: its members are parsed once, and judged once for each protocol.
 */
export function findInexpressibleIn(parameters: CallParameters): FindInexpressible {
  const { capabilityMembers } = parameters;
  const found = new Map<ChannelType, string | undefined>();
  let members: Members | undefined;
  return (type) => {
    const gaps = GAPS[type];
    if (gaps.length === 0 || found.has(type)) return found.get(type);
    members ??=
      capabilityMembers.length === 0 ? {} : (JSON.parse(capabilityMembers.toString()) as Members);
    const asked = members;
    const param = gaps.find(({ isAsked }) => isAsked(parameters, asked))?.param;
    found.set(type, param);
    return param;
  };
}
