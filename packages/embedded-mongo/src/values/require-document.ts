import { CommandError } from '../errors';
import { type Document, typeName, type Value } from './value';

/** The value as a document, or an error that names the place. */
export function requireDocument(value: Value | undefined, place: string): Document {
  if (value instanceof Map) return value;
  throw new CommandError('TypeMismatch', `${place} must be an object, not ${typeName(value)}`);
}
