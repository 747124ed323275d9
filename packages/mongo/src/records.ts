import { type Nano, nano, withoutUndefined } from '@tollgate/core';
import type { mongo } from 'mongoose';
import { type Documents, documentsOf, type FindOptions } from './documents';
import { insertNewOnes } from './failures';
import type { MongoStore } from './store';

/** How a value is written that the store has in another form than the record. */
export interface Codec<Value, Stored> {
  encode(value: Value): Stored;
  decode(stored: Stored): Value;
}

/** How one member of a record is stored. */
interface MemberForm<Value> {
  /** Its name in the document; that of the record without it. */
  readonly name?: string;
  /** Stored as it is without one. */
  readonly codec?: Codec<Value, unknown>;
  /** What the record has where a document lacks the member: undefined, without it. */
  readonly missing?: Value;
}

/** How each member of a record is stored, in the order in which a document has them. */
export type RecordForm<Item> = {
  readonly [Name in keyof Item]-?: MemberForm<Exclude<Item[Name], undefined>>;
};

/** What is stored of a record. A member is absent where that of the record is undefined. */
type StoredForm<Item, Form extends RecordForm<Item>> = {
  readonly [Name in keyof Item & string as NameOf<Name, Form[Name]>]?: ValueOf<
    Item[Name],
    Form[Name]
  >;
};

type NameOf<Name, Member> = Member extends { readonly name: infer Stored extends string }
  ? Stored
  : Name;

type ValueOf<Value, Member> = Member extends {
  readonly codec: { encode(value: never): infer Stored };
}
  ? Stored
  : Exclude<Value, undefined>;

/** Stored under its own name and as it is. */
export const AS_IS = {} as const;

/** Stored as it is under another name. */
export function named<const Name extends string>(name: Name) {
  return { name } as const;
}

/** The text that is the document's id. */
export const ID = named('_id');

/** Milliseconds since the epoch that are stored as a date. */
export function dated<const Name extends string>(name: Name) {
  return { name, codec: DATE } as const;
}

const DATE: Codec<number, Date> = {
  encode: (epochMs) => new Date(epochMs),
  decode: (date) => date.getTime(),
};

const NANO: Codec<Nano, bigint> = {
  encode: (amount) => amount,
  // An Int64; what a person wrote by hand may be an Int32 or a double.
  decode: (stored) => nano(BigInt(stored)),
};

/** An amount under its own name. */
export const AMOUNT = { codec: NANO } as const;

/** A count under its own name; one that a person wrote by hand may be read as a bigint. */
export const COUNT = { codec: { encode: (count: number) => count, decode: Number } } as const;

/** A record within a record. */
export function codecOf<Item extends object, Form extends RecordForm<Item>>(
  form: Form,
): Codec<Item, StoredForm<Item, Form>> {
  return {
    encode: (item) => withoutUndefined(encode(form, item)) as StoredForm<Item, Form>,
    decode: (stored) => decode<Item>(form, stored),
  };
}

/** A list of values, each with the codec. */
export function eachOf<Value, Stored>(
  codec: Codec<Value, Stored>,
): Codec<readonly Value[], readonly Stored[]> {
  return {
    encode: (values) => values.map((value) => codec.encode(value)),
    decode: (stored) => stored.map((one) => codec.decode(one)),
  };
}

type Members = Readonly<Record<string, unknown>>;

/** Every member of the form. One of the record that the form lacks is refused: it would be lost. */
function encode<Item extends object>(form: RecordForm<Item>, item: Item): Members {
  const unknown = Object.keys(item).find((name) => !Object.hasOwn(form, name));
  if (unknown !== undefined) throw new TypeError(`no form for the member ${unknown} of a record`);
  const members = item as Members;
  const toStored = ([name, member]: NamedMember): [string, unknown] => {
    const { name: storedName = name, codec } = member;
    const value = members[name];
    return [storedName, value === undefined || codec === undefined ? value : codec.encode(value)];
  };
  return Object.fromEntries(membersOf(form).map(toStored));
}

function decode<Item extends object>(form: RecordForm<Item>, document: Members): Item {
  const toMember = ([name, member]: NamedMember): [string, unknown] => {
    const { name: storedName = name, codec, missing } = member;
    const stored = document[storedName];
    if (stored === undefined) return [name, missing];
    return [name, codec === undefined ? stored : codec.decode(stored)];
  };
  return Object.fromEntries(membersOf(form).map(toMember)) as Item;
}

type NamedMember = readonly [name: string, member: MemberForm<unknown>];

function membersOf(form: object): readonly NamedMember[] {
  return Object.entries(form);
}

/** A document that its reader decodes: one that cannot be read keeps nobody from the others. */
export interface ReadableDocument<Item, Document> {
  readonly document: Document;
  /** Throws when the document makes no sense. */
  read(): Item;
}

/** `Documents` that are read and written as records. */
export interface Records<Item extends object, Document extends { readonly _id: string }>
  extends Omit<
    Documents<Document>,
    'find' | 'list' | 'each' | 'insert' | 'insertOrReject' | 'take'
  > {
  find(filter: mongo.Filter<Document>, options?: FindOptions): Promise<Item | undefined>;
  list(filter: mongo.Filter<Document>, options?: FindOptions): Promise<Item[]>;
  listStored(
    filter: mongo.Filter<Document>,
    options?: FindOptions,
  ): Promise<readonly ReadableDocument<Item, Document>[]>;
  /** False when a unique index, such as that of the id, refuses it. */
  insert(item: Item): Promise<boolean>;
  /** Rejects when a unique index refuses it. */
  insertOrReject(item: Item): Promise<void>;
  /** Inserts those that no unique index refuses; false when one refuses some. */
  insertAll(items: readonly Item[]): Promise<boolean>;
  /**
   * Sets what the record has and removes what it has not, except for what is named; true when there
   * was a document. Members that are not of the record stay.
   */
  replace(
    filter: mongo.Filter<Document>,
    item: Item,
    except?: readonly (keyof Item)[],
  ): Promise<boolean>;
  /** Removes one and answers it. */
  take(filter: mongo.Filter<Document>): Promise<Item | undefined>;
}

/** A document of such records, with what it has besides. */
type DocumentOf<Item, Form extends RecordForm<Item>, Beside> = {
  readonly _id: string;
} & StoredForm<Item, Form> &
  Beside;

/**
 * The records of one collection. `besideOf` says what a document has besides, for queries: it is
 * written with each record, removed where it is undefined, and never read.
 */
export function recordsOf<
  Item extends object,
  Form extends RecordForm<Item>,
  Beside extends object = object,
>(
  store: MongoStore,
  collection: string,
  form: Form,
  besideOf?: (item: Item) => Beside,
): Records<Item, DocumentOf<Item, Form, Beside>> {
  const documents = documentsOf<DocumentOf<Item, Form, Beside>>(store, collection);
  return asRecords(documents, form, (item) => ({ ...encode(form, item), ...besideOf?.(item) }));
}

function asRecords<Item extends object, Document extends { readonly _id: string }>(
  documents: Documents<Document>,
  form: RecordForm<Item>,
  write: (item: Item) => Members,
): Records<Item, Document> {
  const toDocument = (item: Item) => withoutUndefined(write(item)) as unknown as Document;
  const toItem = (document: Document) => decode(form, document as Members);
  return {
    ...documents,
    async find(filter, options) {
      const found = await documents.find(filter, options);
      return found && toItem(found);
    },
    async list(filter, options) {
      return (await documents.list(filter, options)).map(toItem);
    },
    async listStored(filter, options) {
      const found = await documents.list(filter, options);
      return found.map((document) => ({ document, read: () => toItem(document) }));
    },
    insert: async (item) => documents.insert(toDocument(item)),
    insertOrReject: async (item) => documents.insertOrReject(toDocument(item)),
    insertAll(items) {
      const added = items.map(toDocument) as mongo.OptionalUnlessRequiredId<Document>[];
      return insertNewOnes(() => documents.collection().insertMany(added, { ordered: false }));
    },
    async replace(filter, item, except = []) {
      const kept = new Set(['_id', ...except.map((name) => form[name].name ?? name)]);
      const members = Object.entries(write(item)).filter(([name]) => !kept.has(name));
      const absent = members.filter(([, value]) => value === undefined);
      const update = {
        $set: withoutUndefined(Object.fromEntries(members)),
        ...(absent.length > 0 && { $unset: Object.fromEntries(absent.map(([name]) => [name, 1])) }),
      };
      return documents.update(filter, update as mongo.UpdateFilter<Document>);
    },
    async take(filter) {
      const taken = await documents.take(filter);
      return taken && toItem(taken);
    },
  };
}
