import type { Document } from './values/value';

/** Every error code this store answers with, under MongoDB's own numbers and names. */
export const MONGODB_CODES = {
  InternalError: 1,
  BadValue: 2,
  UnknownError: 8,
  FailedToParse: 9,
  TypeMismatch: 14,
  Overflow: 15,
  NamespaceNotFound: 26,
  IndexNotFound: 27,
  PathNotViable: 28,
  ConflictingUpdateOperators: 40,
  CursorNotFound: 43,
  DollarPrefixedFieldName: 52,
  InvalidIdField: 53,
  CommandNotFound: 59,
  ImmutableField: 66,
  CannotCreateIndex: 67,
  InvalidOptions: 72,
  InvalidNamespace: 73,
  IndexOptionsConflict: 85,
  IndexKeySpecsConflict: 86,
  ShutdownInProgress: 91,
  ExceededMemoryLimit: 146,
  CannotIndexParallelArrays: 171,
  OperationNotSupportedInTransaction: 263,
  BSONObjectTooLarge: 10334,
  DuplicateKey: 11000,
  Location15958: 15958,
  Location15975: 15975,
  Location31249: 31249,
  Location40323: 40323,
  Location40324: 40324,
  Location40414: 40414,
  Location40415: 40415,
} as const;

/** A name from the table of codes. */
export type ErrorCodeName = keyof typeof MONGODB_CODES;

/** A failure that is the caller's to see: it becomes `ok: 0` or one entry of `writeErrors`. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly codeName: ErrorCodeName;
  readonly code: number;
  /** Further members of the answer, such as `keyPattern` and `keyValue` of a duplicate key. */
  readonly details: Document | undefined;

  constructor(codeName: ErrorCodeName, message: string, details?: Document) {
    super(message);
    this.codeName = codeName;
    this.code = MONGODB_CODES[codeName];
    this.details = details;
  }
}
