import { Int32 } from 'bson';
import { CommandError } from '../errors';
import type { Encodable } from '../values/encode';
import type { Value } from '../values/value';
import type { CommandContext } from './command';

/** How the statements of one write command are run. */
export interface BatchRun {
  /** Ordered: the first failure ends the batch. */
  readonly ordered: boolean;
  readonly context: CommandContext;
}

/** A statement that failed, by its place in the batch. */
export interface WriteError {
  readonly index: number;
  readonly error: CommandError;
}

/** Runs the statements one after the other and collects the failures that are the caller's. */
export function runBatch(
  statements: readonly Value[],
  batch: BatchRun,
  run: (statement: Value, index: number) => void,
): readonly WriteError[] {
  if (statements.length > batch.context.limits.writeBatchMax) {
    throw new CommandError(
      'BadValue',
      `a batch of ${statements.length} is larger than ${batch.context.limits.writeBatchMax}`,
    );
  }
  const errors: WriteError[] = [];
  for (const [index, statement] of statements.entries()) {
    try {
      run(statement, index);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      errors.push({ index, error });
      if (batch.ordered) break;
    }
  }
  return errors;
}

/** The `writeErrors` member of an answer; absent when nothing failed. */
export function writeErrorsMember(
  errors: readonly WriteError[],
): readonly (readonly [string, Encodable])[] {
  if (errors.length === 0) return [];
  const entries = errors.map(
    ({ index, error }) =>
      new Map<string, Encodable>([
        ['index', new Int32(index)],
        ['code', new Int32(error.code)],
        ...(error.details ?? []),
        ['errmsg', error.message],
      ]),
  );
  return [['writeErrors', entries]];
}
