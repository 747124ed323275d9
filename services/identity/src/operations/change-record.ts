import { AppError } from '@tollgate/core';
import { retryChange } from '@tollgate/mongo';

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
export function changeRecord<Record>(steps: RecordChange<Record>): Promise<Record> {
  const attempt = async () => {
    const record = await steps.load();
    if (record === undefined) throw new AppError('NOT_FOUND');
    const next = steps.change(record);
    return next === record || (await steps.write(next)) ? next : undefined;
  };
  return retryChange('resource', attempt);
}
