import type { Document } from './values/value';

/** Every error code this store answers with, under MongoDB's own numbers and names. */
export const ERROR_CODES = {
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
  NamespaceExists: 48,
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
  InvalidPipelineOperator: 168,
  CannotIndexParallelArrays: 171,
  ConversionFailure: 241,
  OperationNotSupportedInTransaction: 263,
  BSONObjectTooLarge: 10334,
  DuplicateKey: 11000,
  Location15952: 15952,
  Location15955: 15955,
  Location15957: 15957,
  Location15958: 15958,
  Location15975: 15975,
  Location15976: 15976,
  Location16020: 16020,
  Location16610: 16610,
  Location16702: 16702,
  Location17276: 17276,
  Location28811: 28811,
  Location28812: 28812,
  Location28818: 28818,
  Location31249: 31249,
  Location31253: 31253,
  Location31254: 31254,
  Location31325: 31325,
  Location40081: 40081,
  Location40156: 40156,
  Location40177: 40177,
  Location40234: 40234,
  Location40237: 40237,
  Location40323: 40323,
  Location40324: 40324,
  Location40414: 40414,
  Location40415: 40415,
  Location51091: 51091,
  Location51272: 51272,
} as const;

/** A name from the table of codes. */
export type ErrorCodeName = keyof typeof ERROR_CODES;

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
    this.code = ERROR_CODES[codeName];
    this.details = details;
  }
}
