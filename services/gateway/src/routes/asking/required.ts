import { AppError } from '@tollgate/core';

/** A message that the other service must have put into its answer. */
export function required<Message>(message: Message | null | undefined): Message {
  if (message === null || message === undefined) {
    throw new AppError('INTERNAL_ERROR', { internalMessage: 'an answer lacks its record' });
  }
  return message;
}
