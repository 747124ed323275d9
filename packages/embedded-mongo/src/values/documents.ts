import { ObjectId } from 'bson';
import { CommandError } from '../errors';
import { type Document, typeName, type Value } from './value';

/** The value as a document, or an error that names the place. */
export function requireDocument(value: Value | undefined, place: string): Document {
  if (value instanceof Map) return value;
  throw new CommandError('TypeMismatch', `${place} must be an object, not ${typeName(value)}`);
}

/** `_id` leads, and is made when there is none. */
export function withIdFirst(document: Document): Document {
  const [first] = document.keys();
  if (first === '_id') return document;
  const result: Document = new Map([['_id', document.get('_id') ?? new ObjectId()]]);
  for (const [name, value] of document) if (name !== '_id') result.set(name, value);
  return result;
}
