import { AppError, asList, asObject, asText, type JsonObject } from '@tollgate/core';

const TOO_LONG =
  /context[ _](?:length|window|limit)|prompt is too long|token count .* exceeds|too many tokens/i;
const AGAINST_POLICY =
  /content[ _](?:filter|management|policy)|safety system|moderation|flagged|guardrail|(?:usage|acceptable use) polic/i;
const CREDENTIAL =
  /\bkeys?\b|api[ _-]?key|credential|token|auth|permission|access|account|billing|credits|organi[sz]ation|project|workspace|subscription|region|country/i;

/** The vendors' words for the members of a request, by the names that clients know. */
const MEMBERS: Readonly<Record<string, string>> = {
  messages: 'messages',
  contents: 'messages',
  input: 'messages',
  system: 'messages',
  system_instruction: 'messages',
  max_tokens: 'max_tokens',
  max_completion_tokens: 'max_tokens',
  max_output_tokens: 'max_tokens',
  temperature: 'temperature',
  top_p: 'top_p',
  stop: 'stop',
  stop_sequences: 'stop',
  presence_penalty: 'presence_penalty',
  frequency_penalty: 'frequency_penalty',
  seed: 'seed',
  user: 'user',
  n: 'n',
  candidate_count: 'n',
  tools: 'tools',
  tool_choice: 'tool_choice',
  tool_config: 'tool_choice',
  parallel_tool_calls: 'parallel_tool_calls',
  response_format: 'response_format',
  output_config: 'response_format',
  response_schema: 'response_format',
  response_json_schema: 'response_format',
  logprobs: 'logprobs',
  top_logprobs: 'top_logprobs',
  logit_bias: 'logit_bias',
  reasoning_effort: 'reasoning_effort',
  thinking_config: 'reasoning_effort',
};

/**
 * The client's sentence for a request that the vendor finds wrong: that it is too long, that it is
 * against a policy, or which member is at fault. These are our words: the vendor's own may quote
 * anything.
 */
export function requestFaultOf(error: JsonObject, internalMessage: string): AppError {
  const words = wordsOf(error);
  if (TOO_LONG.test(words)) {
    const publicMessage = lengthSentenceOf(words);
    const told = publicMessage === undefined ? {} : { publicMessage };
    return new AppError('CONTEXT_LENGTH_EXCEEDED', { ...told, internalMessage, param: 'messages' });
  }
  if (isAgainstPolicy(error)) {
    return new AppError('CONTENT_POLICY', { internalMessage, param: 'messages' });
  }
  const param = paramOf(error);
  if (param === undefined) {
    const publicMessage = 'The model vendor refused this request as not valid.';
    return new AppError('VALIDATION_ERROR', { publicMessage, internalMessage });
  }
  const publicMessage = `${param}: the model vendor refused its value, or does not support it.`;
  return new AppError('VALIDATION_ERROR', { publicMessage, internalMessage, param });
}

/** Vendors name two numbers, what was sent and what they take at most, in either order. */
function lengthSentenceOf(words: string): string | undefined {
  const numbers = new Set(words.match(/\b\d{3,9}\b/g)?.map(Number));
  if (numbers.size !== 2) return undefined;
  const [sent, taken] = [Math.max(...numbers), Math.min(...numbers)];
  return `The messages are longer than the model's context: ${sent} tokens, ${taken} at most.`;
}

/** Whether a vendor's word is the name of a member of a request. */
export function isMemberName(word: string): boolean {
  return Object.hasOwn(MEMBERS, word);
}

/**
 * What a vendor that forbids a call objects to: its credential, the prompt, or what its words do not
 * tell. Vendors and their guardrails answer 403 to a prompt that they do not like, too.
 */
export function forbiddenMeaningOf(error: JsonObject): 'credential' | 'request' | 'unclear' {
  if (isAgainstPolicy(error)) return 'request';
  return CREDENTIAL.test(wordsOf(error)) ? 'credential' : 'unclear';
}

function isAgainstPolicy(error: JsonObject): boolean {
  const { flagged_input, reasons } = asObject(error.metadata) ?? {};
  const isFlagged = flagged_input !== undefined || asList(reasons).length > 0;
  return isFlagged || AGAINST_POLICY.test(wordsOf(error));
}

function wordsOf({ code, message, status, type }: JsonObject): string {
  return [code, type, status, message].map(asText).join(' ');
}

/** Where a vendor has a place for the member at fault, or begins its sentence with it. */
function paramOf(error: JsonObject): string | undefined {
  const violations = asList(error.details).flatMap((detail) =>
    asList(asObject(detail)?.fieldViolations),
  );
  const fields = violations.map((violation) => asText(asObject(violation)?.field));
  const message = asText(error.message);
  const sentence = /^([a-z_]+)[.:[]/.exec(message)?.[1] ?? '';
  for (const place of [asText(error.param), ...fields, sentence]) {
    const names = place.split(/[.[\]]/);
    const known = names.find((name) => Object.hasOwn(MEMBERS, name));
    if (known !== undefined) return MEMBERS[known];
  }
  return quotedMemberIn(message);
}

/** Names of members that mean nothing else: a `user` may be a role, and `stop` a plain word. */
const NO_OTHER_WORD = /_|^temperature$|^logprobs$/;

/** Where the sentence quotes one member and no other. */
function quotedMemberIn(message: string): string | undefined {
  const quoted = [...message.matchAll(/(["`'])([a-z_]{1,40})\1/g)]
    .map(([, , name = '']) => name)
    .filter((name) => isMemberName(name) && NO_OTHER_WORD.test(name));
  const members = new Set(quoted.map((name) => MEMBERS[name]));
  const [only] = members;
  return members.size === 1 ? only : undefined;
}
