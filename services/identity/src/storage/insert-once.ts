import { databaseFailure, isDuplicateKey } from '@tollgate/mongo';
import type { Model } from 'mongoose';
import type { InsertOutcome } from '../domain/ports';
import type { TextIdDocument } from './define-model';

/** Inserts the document; `exists` when a unique index refuses it. */
export async function insertOnce<Document extends TextIdDocument>(
  model: Model<Document>,
  document: Document,
): Promise<InsertOutcome> {
  try {
    await model.create([document]);
    return 'inserted';
  } catch (error) {
    if (isDuplicateKey(error)) return 'exists';
    throw databaseFailure(error);
  }
}
