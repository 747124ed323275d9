import { insertNew, type MongoStore } from '@tollgate/mongo';
import { type Model, Schema, type SchemaDefinition } from 'mongoose';
import type { InsertOutcome } from '../domain/ports';

/**
 * The service's collections; no other service reads them. Erasure empties these and has none of its
 * own: an account that is `erasing` is all that it has to remember.
 */
export const COLLECTIONS = {
  accounts: 'identity_accounts',
  accountNames: 'identity_account_names',
  users: 'identity_users',
  quotas: 'identity_quotas',
  apiKeys: 'identity_api_keys',
  auditLog: 'identity_audit_log',
  sessions: 'identity_sessions',
  refreshTokens: 'identity_refresh_tokens',
  loginAttempts: 'identity_login_attempts',
  idempotency: 'identity_idempotency',
  oauthStates: 'identity_oauth_states',
  oauthCodes: 'identity_oauth_codes',
  resetCodes: 'identity_reset_codes',
  signingKeys: 'identity_signing_keys',
  firstStart: 'identity_first_start',
} as const;

/** Behind a prefix it is above every text that begins with it. */
export const END_OF_TEXT = '\u{10ffff}';

/** A document whose id is text that we choose. */
export interface TextIdDocument {
  readonly _id: string;
}

/**
 * A model of the store's connection. Unknown fields are an error, because a field that is silently
 * dropped is data lost; indexes are made by migrations only.
 */
export function defineModel<Document extends TextIdDocument>(
  store: MongoStore,
  collection: string,
  fields: SchemaDefinition,
): Model<Document> {
  const schema = new Schema(
    { _id: { type: String, required: true }, ...fields },
    {
      collection,
      strict: 'throw',
      versionKey: false,
      minimize: false,
      autoIndex: false,
      autoCreate: false,
      id: false,
    },
  );
  // Mongoose infers a document from the schema; the interface is what the schema was written for.
  return store.connection.model(collection, schema) as unknown as Model<Document>;
}

/** Inserts the document; `exists` when a unique index refuses it. */
export async function insertOnce<Document extends TextIdDocument>(
  model: Model<Document>,
  document: Document,
): Promise<InsertOutcome> {
  return (await insertNew(() => model.create([document]))) ? 'inserted' : 'exists';
}

/** The object without fields that are undefined: absent fields are absent in the store too. */
export function defined<Fields extends object>(fields: Fields): Defined<Fields> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Defined<Fields>;
}

/** Fields that may be undefined become optional. */
export type Defined<Fields> = {
  [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name];
} & {
  [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Exclude<
    Fields[Name],
    undefined
  >;
};

/** Sets every present field and removes every absent one of the named. */
export function toUpdate(
  document: Readonly<Record<string, unknown>>,
  optional: readonly string[],
): { readonly $set: Record<string, unknown>; readonly $unset?: Record<string, 1> } {
  const { _id, ...$set } = document;
  const absent = optional.filter((name) => !Object.hasOwn(document, name));
  if (absent.length === 0) return { $set };
  return { $set, $unset: Object.fromEntries(absent.map((name) => [name, 1 as const])) };
}

export function toDate(epochMs: number | undefined): Date | undefined {
  return epochMs === undefined ? undefined : new Date(epochMs);
}

export function fromDate(date: Date | undefined): number | undefined {
  return date?.getTime();
}
