import { AppError } from '@tollgate/core';

/** The fields that are given: what a request to another service leaves out stays as it is. */
export function withoutAbsent<Value extends object>(
  value: Value,
): { [Name in keyof Value]?: Exclude<Value[Name], undefined> } {
  const present = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(present) as { [Name in keyof Value]?: Exclude<Value[Name], undefined> };
}

/** A message that the other service must have put into its answer. */
export function required<Message>(message: Message | null | undefined): Message {
  if (message === null || message === undefined) {
    throw new AppError('INTERNAL_ERROR', { internalMessage: 'an answer lacks its record' });
  }
  return message;
}
