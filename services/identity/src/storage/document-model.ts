import { insertNew, type MongoStore, withDatabaseFailures } from '@tollgate/mongo';
import {
  type Model,
  type QueryFilter,
  Schema,
  type SchemaDefinition,
  type UpdateQuery,
} from 'mongoose';
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

/** What is found: in which order, how many, and with which fields. */
interface FindOptions {
  readonly sort?: Readonly<Record<string, 1 | -1>>;
  readonly limit?: number;
  readonly projection?: Readonly<Record<string, 1>>;
}

/** `Documents` of packages/mongo, through a model. */
export interface ModelDocuments<Document extends TextIdDocument> {
  find(filter: QueryFilter<Document>): Promise<Document | undefined>;
  list(filter: QueryFilter<Document>, options?: FindOptions): Promise<Document[]>;
  /** Rejects when a unique index refuses it. */
  add(document: Document): Promise<void>;
  /** `exists` when a unique index refuses it. */
  insert(document: Document): Promise<InsertOutcome>;
  /** True when there was one to be updated. */
  update(filter: QueryFilter<Document>, update: UpdateQuery<Document>): Promise<boolean>;
  upsert(filter: QueryFilter<Document>, update: UpdateQuery<Document>): Promise<void>;
  remove(filter: QueryFilter<Document>): Promise<void>;
  removeMany(filter: QueryFilter<Document>): Promise<void>;
  /** Removes one and answers it. */
  take(filter: QueryFilter<Document>): Promise<Document | undefined>;
  /** For all other commands, whose failures are those of the driver. */
  readonly model: Model<Document>;
}

export function defineDocuments<Document extends TextIdDocument>(
  store: MongoStore,
  collection: string,
  fields: SchemaDefinition,
): ModelDocuments<Document> {
  const model = defineModel<Document>(store, collection, fields);
  return {
    model,
    async find(filter) {
      const found = await withDatabaseFailures(() => model.findOne(filter).lean<Document>());
      return found ?? undefined;
    },
    list: (filter, { projection, ...options } = {}) =>
      withDatabaseFailures(() => model.find(filter, projection, options).lean<Document[]>()),
    async add(document) {
      await withDatabaseFailures(() => model.create([document]));
    },
    insert: async (document) =>
      (await insertNew(() => model.create([document]))) ? 'inserted' : 'exists',
    async update(filter, update) {
      const written = await withDatabaseFailures(() => model.updateOne(filter, update));
      return written.matchedCount === 1;
    },
    async upsert(filter, update) {
      await withDatabaseFailures(() => model.updateOne(filter, update, { upsert: true }));
    },
    async remove(filter) {
      await withDatabaseFailures(() => model.deleteOne(filter));
    },
    async removeMany(filter) {
      await withDatabaseFailures(() => model.deleteMany(filter));
    },
    async take(filter) {
      const taken = await withDatabaseFailures(() =>
        model.findOneAndDelete(filter).lean<Document>(),
      );
      return taken ?? undefined;
    },
  };
}

/**
 * A model of the store's connection. Unknown fields are an error, because a field that is silently
 * dropped is data lost; indexes are made by migrations only.
 */
function defineModel<Document extends TextIdDocument>(
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
