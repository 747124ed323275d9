import { type GeminiMethod, geminiTarget, type JsonObject } from '@tollgate/core';
import type { VendorCall } from '../../domain/vendor';
import {
  type ChatMembers,
  type ChatPart,
  type ChatTurn,
  dataUrlContentOf,
  groupTurns,
  readChat,
  readMembers,
} from '../protocol/chat';
import { inexpressible } from '../protocol/failures';
import { parseObject } from '../protocol/json';
import { thinkingBudgetOf } from '../protocol/thoughts';
import { requestHeaders, type VendorRequest } from '../protocol/vendor-protocol';

/**
 * Models of the third generation and later: they refuse a call of a tool in the history without the
 * signature of their thoughts, and are told in words how much to think.
 */
const LATER_MODELS = /gemini-(?:[3-9]|\d\d)/;
/** What every earlier model takes. */
const THINKING_BUDGET_MAX = 24_576;
/** Passes for a signature at the vendor; chat completions have no member for the real one. */
const NO_SIGNATURE = 'skip_thought_signature_validator';

const IMAGE_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  heic: 'image/heic',
  heif: 'image/heif',
};

/** Writes a request of generateContent. */
export function buildRequest(call: VendorCall): VendorRequest {
  const method = call.stream ? 'streamGenerateContent?alt=sse' : 'generateContent';
  return toRequest(call, method, bodyOf(call));
}

/** A request of the protocol. */
export function toRequest(call: VendorCall, method: GeminiMethod, body: object): VendorRequest {
  const { channel, upstreamName } = call.candidate;
  const { headers, path } = geminiTarget(channel.credential, method, upstreamName);
  return {
    path,
    headers: requestHeaders(call, headers),
    body: [Buffer.from(JSON.stringify(body))],
  };
}

// Members that are undefined are left out when the body is written.
function bodyOf(call: VendorCall) {
  const { instructions, turns } = readChat(call);
  const members = readMembers(call);
  const later = LATER_MODELS.test(call.candidate.upstreamName);
  return {
    systemInstruction: instructions === '' ? undefined : { parts: [{ text: instructions }] },
    contents: contentsOf(turns, later),
    ...toolsOf(members),
    generationConfig: {
      ...configOf(call, members),
      thinkingConfig: thinkingOf(call, members, later),
    },
  };
}

function contentsOf(turns: readonly ChatTurn[], signed: boolean) {
  return groupTurns(turns, (turn) => turnParts(turn, signed)).map(({ role, parts }) => ({
    role: role === 'assistant' ? 'model' : role,
    parts,
  }));
}

function turnParts(turn: ChatTurn, signed: boolean): readonly JsonObject[] {
  switch (turn.role) {
    case 'user':
      return turn.parts.map(partOf);
    case 'assistant':
      return [
        ...(turn.text === '' ? [] : [{ text: turn.text }]),
        ...turn.calls.map(({ name, input }) => ({
          functionCall: { name, args: input },
          ...(signed ? { thoughtSignature: NO_SIGNATURE } : {}),
        })),
      ];
    case 'tool': {
      const response = parseObject(turn.text) ?? { output: turn.text };
      return [{ functionResponse: { name: turn.name, response } }];
    }
  }
}

function partOf(part: ChatPart): JsonObject {
  if (part.kind === 'text') return { text: part.text };
  const data = dataUrlContentOf(part.url);
  if (data !== undefined) return { inlineData: { mimeType: data.mediaType, data: data.base64 } };
  const extension = /^https?:\/\/[^?#]*\.(\w+)(?:[?#]|$)/i.exec(part.url)?.[1];
  const mimeType = IMAGE_TYPES[extension?.toLowerCase() ?? ''];
  if (mimeType !== undefined) return { fileData: { mimeType, fileUri: part.url } };
  throw inexpressible(
    'messages',
    'Images must be data URLs, or addresses that end in the kind of image, for this model.',
  );
}

function toolsOf({ toolChoice, tools }: ChatMembers) {
  if (tools.length === 0) return {};
  const functionDeclarations = tools.map(({ name, description, parameters }) => ({
    name,
    description,
    parametersJsonSchema: parameters,
  }));
  return {
    tools: [{ functionDeclarations }],
    toolConfig:
      toolChoice === undefined ? undefined : { functionCallingConfig: callingOf(toolChoice) },
  };
}

function callingOf(choice: NonNullable<ChatMembers['toolChoice']>) {
  switch (choice) {
    case 'auto':
      return { mode: 'AUTO' };
    case 'none':
      return { mode: 'NONE' };
    case 'required':
      return { mode: 'ANY' };
    default:
      return { mode: 'ANY', allowedFunctionNames: [choice.name] };
  }
}

function configOf(call: VendorCall, { format }: ChatMembers) {
  const { parameters } = call;
  return {
    temperature: parameters.temperature,
    topP: parameters.topP,
    maxOutputTokens: call.maxTokens,
    stopSequences: parameters.stop.length > 0 ? parameters.stop : undefined,
    candidateCount: call.choices > 1 ? call.choices : undefined,
    presencePenalty: parameters.presencePenalty,
    frequencyPenalty: parameters.frequencyPenalty,
    // The vendor's seeds have 32 bits.
    seed: parameters.seed === undefined ? undefined : Number(BigInt.asIntN(32, parameters.seed)),
    responseMimeType: format === undefined ? undefined : 'application/json',
    responseJsonSchema: format === undefined || format === 'any' ? undefined : format,
  };
}

/** A request that says how much to think is answered with the thoughts. */
function thinkingOf({ parameters }: VendorCall, { effort }: ChatMembers, later: boolean) {
  const { thinkingBudget: asked } = parameters;
  const budget = thinkingBudgetOf(effort, asked || undefined);
  if (budget === undefined) return undefined;
  return {
    // Not every model can be kept from thinking.
    includeThoughts: asked === 0 ? undefined : true,
    ...(later
      ? { thinkingLevel: effort }
      : { thinkingBudget: Math.min(budget, THINKING_BUDGET_MAX) }),
  };
}
