import { toAppError } from '@tollgate/core';

/** What did not answer, and what its client may be told of why. */
export interface Unanswered {
  readonly about: string;
  readonly reason: string;
  /** It did answer, and refused the question. */
  readonly isRefusal: boolean;
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
        const { definition, publicMessage: reason } = toAppError(error);
        unanswered.push({ about, reason, isRefusal: definition.httpStatus < 500 });
        return undefined;
      }
    },
  };
}

/** Reads a part whose absence says enough; undefined where it cannot be read. */
export async function orUndefined<Part>(
  read: () => Part | Promise<Part>,
): Promise<Part | undefined> {
  try {
    return await read();
  } catch {
    return undefined;
  }
}
