import { AppError, toAppError } from '@tollgate/core';
import { mongo } from 'mongoose';

const DUPLICATE_KEY = 11000;
const MAX_TIME_EXPIRED = 50;

/** A replica set that has no primary at the moment: the driver's codes for "ask again soon". */
const AWAY_CODES: ReadonlySet<number> = new Set([91, 189, 10107, 11600, 11602, 13435, 13436]);

/** The store's codes for a document that is not what the statement was made for. */
const DOCUMENT_CODES: ReadonlySet<unknown> = new Set([
  2, // BadValue, such as a sum beyond 64 bits
  14, // TypeMismatch
  28, // PathNotViable
  121, // DocumentValidationFailure
  10334, // BSONObjectTooLarge
  17419, // the same, after an update
]);

const AWAY_NAMES: ReadonlySet<string> = new Set([
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoServerSelectionError',
  'MongooseServerSelectionError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoPoolClosedError',
  'MongoPoolClearedError',
  'MongoWaitQueueTimeoutError',
  'MongoExpiredSessionError',
  'MongoClientClosedError',
]);

/** True when a unique index refused the write, and nothing else is wrong with it. */
export function isDuplicateKey(error: unknown): boolean {
  // The rest of a bulk write may not have reached a majority.
  if (error instanceof mongo.MongoBulkWriteError && error.result.getWriteConcernError()) {
    return false;
  }
  return error instanceof mongo.MongoServerError && error.code === DUPLICATE_KEY;
}

/** True when each statement of the bulk was done or met a document that is there already. */
export function hasOnlyDuplicates(error: unknown): boolean {
  return isRefusedOnlyFor(error, (code) => code === DUPLICATE_KEY);
}

/** True when documents refused some statements of the bulk, and the store did all the others. */
export function isRefusedByDocuments(error: unknown): error is mongo.MongoBulkWriteError {
  return isRefusedOnlyFor(error, (code) => code === DUPLICATE_KEY || isDocumentFault(code));
}

/** True when the store ended a query that had not ended in its `maxTimeMS`. */
export function isTimeExpired(error: unknown): boolean {
  return error instanceof mongo.MongoServerError && error.code === MAX_TIME_EXPIRED;
}

/**
 * True when each statement of the bulk was done or refused for such a reason. Any other failure of a
 * bulk comes as a bulk error too, without refused statements: then nobody knows what was done.
 */
function isRefusedOnlyFor(
  error: unknown,
  isReason: (code: unknown) => boolean,
): error is mongo.MongoBulkWriteError {
  if (!(error instanceof mongo.MongoBulkWriteError)) return false;
  if (error.result.getWriteConcernError() !== undefined) return false;
  const refusals = [error.writeErrors].flat();
  return refusals.length > 0 && refusals.every(({ code }) => isReason(code));
}

/** True when the code of a failed statement says that its document is at fault, not the store. */
function isDocumentFault(code: unknown): boolean {
  return DOCUMENT_CODES.has(code);
}

/**
 * The meaning of a failed store command: unreachable is SERVICE_UNAVAILABLE with a short wait, an
 * error that the store answered is DATABASE_ERROR; it is not retryable when a document is at fault,
 * which no other time mends. What failed on its way to or from the store, such as a document that
 * cannot be mapped, is INTERNAL_ERROR. AppErrors pass through.
 */
export function databaseFailure(error: unknown): AppError {
  if (error instanceof AppError || isOurFault(error)) return toAppError(error);
  const internalMessage =
    error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  if (isAway(error)) {
    return new AppError('SERVICE_UNAVAILABLE', {
      internalMessage,
      retryAfterMs: 1000,
      cause: error,
    });
  }
  const retryable = !(error instanceof mongo.MongoServerError && isDocumentFault(error.code));
  return new AppError('DATABASE_ERROR', { internalMessage, retryable, cause: error });
}

/** True when the mapping failed, or the driver would not send what it was given. */
function isOurFault(error: unknown): boolean {
  return (
    error instanceof TypeError ||
    error instanceof RangeError ||
    error instanceof mongo.MongoInvalidArgumentError ||
    mongo.BSON.BSONError.isBSONError(error)
  );
}

function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (AWAY_NAMES.has(error.name)) return true;
  // What the driver has made a bulk's failure, whose own name is lost: the store answered nothing.
  if (error instanceof mongo.MongoBulkWriteError && typeof error.code !== 'number') return true;
  if (error instanceof mongo.MongoServerError) return AWAY_CODES.has(Number(error.code));
  // Mongoose itself refuses commands without a connection when buffering is off.
  return error.name === 'MongooseError' && /initial connection|disconnected/.test(error.message);
}

/** Inserts one document: false when a unique index, such as that of its id, refuses it. */
export function insertNew(insert: () => Promise<unknown>): Promise<boolean> {
  return insertUnless(isDuplicateKey, insert);
}

/** Inserts many, unordered: false when unique indexes refused some, and nothing else was wrong. */
export function insertNewOnes(insert: () => Promise<unknown>): Promise<boolean> {
  return insertUnless(hasOnlyDuplicates, insert);
}

async function insertUnless(
  standsAlready: (error: unknown) => boolean,
  insert: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await insert();
    return true;
  } catch (error) {
    if (standsAlready(error)) return false;
    throw databaseFailure(error);
  }
}

/** Runs a store command and turns its failure into an AppError. */
export async function withDatabaseFailures<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw databaseFailure(error);
  }
}
