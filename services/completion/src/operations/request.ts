import type { CallParameters } from '../domain/vendor';
import type { KeyBudget } from '../usage/record';

/** Who asks, as the edge established it. */
export interface Caller {
  readonly accountId: string;
  readonly keyId: string;
  readonly userId: string | null;
  readonly operator: boolean;
  /** Empty means every model. */
  readonly models: readonly string[];
  /** Channel groups that the key is narrowed to; empty means all that the account was granted. */
  readonly groups: readonly string[];
  /** Channel groups that the operator granted to the account. */
  readonly grantedGroups: readonly string[];
  readonly budget: KeyBudget | null;
}

/** One completion, whichever way it came. */
export interface CompletionRequest {
  readonly requestId: string;
  readonly clientRequestId: string | null;
  readonly caller: Caller;
  /** As asked: a concrete name, a routing name or GROUP:NAME. */
  readonly model: string;
  readonly messages: Buffer;
  readonly messageCount: number;
  readonly parameters: CallParameters;
  readonly maxTokens: number | undefined;
  readonly capabilities: readonly string[];
  readonly capabilityParam: string;
  /** Answers that are asked for at once (`n`): each is generated, and charged. */
  readonly choices: number;
  /** How long the caller still waits. */
  readonly deadlineMs: number;
  /** Aborts when the caller is gone. */
  readonly signal: AbortSignal;
}

/** UTF-8 bytes of everything that becomes the vendor's prompt. */
export function promptBytesOf(request: CompletionRequest): number {
  return request.messages.length + request.parameters.capabilityMembers.length;
}

/** Where an answer came from, for its metadata. */
export interface AnswerHead {
  readonly model: string;
  /** Seconds since the epoch. */
  readonly created: number;
  readonly attempts: number;
  readonly channelId: string;
}

/** Token counts of an answer, as the caller sees them. */
export interface AnswerUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
}
