import { AppError, createFairShare } from '@tollgate/core';
import type { CompletionRequest } from './request';

/** Room for prompts in the memory of this process, over all requests. Accounts share it. */
export interface PromptRoom {
  /**
   * Counts the prompt until the result is called, once. Throws SERVICE_UNAVAILABLE when its account
   * has no room for it.
   */
  take(request: Pick<CompletionRequest, 'caller' | 'messages' | 'parameters'>): () => void;
}

/** As it came, and as its vendor gets it: both stay until the answer ends. */
const COPIES = 2;

export function createPromptRoom(bytesMax: number): PromptRoom {
  const room = createFairShare(bytesMax);
  return {
    take({ caller: { accountId }, messages, parameters }) {
      const bytes = COPIES * (messages.length + parameters.capabilityMembers.length);
      if (room.take(accountId, bytes)) return () => room.release(accountId, bytes);
      throw new AppError('SERVICE_UNAVAILABLE', {
        internalMessage:
          'the account’s part of TOLLGATE_COMPLETION_HELD_PROMPT_BYTES_MAX is used up',
        retryAfterMs: 1000,
      });
    },
  };
}
