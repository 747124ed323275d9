import { AppError } from '@tollgate/core';

const ATTEMPTS_MAX = 8;

/** How one kind of record is read, changed and written back. */
export interface RecordChange<Record> {
  /** Undefined answers NOT_FOUND. */
  load(): Promise<Record | undefined>;
  /** The next revision; the same object when nothing changes. */
  change(record: Record): Record;
  /** False when somebody else wrote first. */
  write(next: Record): Promise<boolean>;
}

/** Reads, changes and writes until no other write came between. */
export async function changeRecord<Record>(steps: RecordChange<Record>): Promise<Record> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const record = await steps.load();
    if (record === undefined) throw new AppError('NOT_FOUND');
    const next = steps.change(record);
    if (next === record || (await steps.write(next))) return next;
  }
  throw new AppError('CONFLICT', {
    publicMessage: 'The resource is being changed by others. Please try again.',
    retryable: true,
  });
}
