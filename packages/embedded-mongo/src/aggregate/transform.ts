import type { Document } from '../values/value';

/** A stream of documents into another. */
export type Transform = (input: Iterable<Document>) => Iterable<Document>;
