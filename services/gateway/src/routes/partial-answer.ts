import { toAppError } from '@tollgate/core';

/** What did not answer, and what its client may be told of why. */
export interface Unanswered {
  readonly about: string;
  readonly reason: string;
}

/** An answer of several parts: one that cannot be read is noted, and the others are told. */
export interface PartialAnswer {
  readonly unanswered: readonly Unanswered[];
  /** Undefined when it failed. */
  ask<Part>(about: string, read: () => Part | Promise<Part>): Promise<Part | undefined>;
}

export function createPartialAnswer(): PartialAnswer {
  const unanswered: Unanswered[] = [];
  return {
    unanswered,
    async ask(about, read) {
      try {
        return await read();
      } catch (error) {
        unanswered.push({ about, reason: toAppError(error).publicMessage });
        return undefined;
      }
    },
  };
}
