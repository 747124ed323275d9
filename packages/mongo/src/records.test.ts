import { silentLogger } from '@tollgate/core';
import type { EmbeddedMongo } from '@tollgate/embedded-mongo';
import { createTestMongo } from '@tollgate/testkit';
import {
  AS_IS,
  codecOf,
  dated,
  documentsOf,
  ID,
  type MongoStore,
  named,
  openMongo,
  type RecordForm,
  recordsOf,
} from './index';

interface Parcel {
  readonly id: string;
  readonly weightG: number;
  readonly tags: readonly string[];
  readonly sentAtMs: number | undefined;
  readonly addressee?: Addressee;
}

interface Addressee {
  readonly firstName: string;
  readonly town: string | undefined;
  readonly bornAtMs?: number;
}

const ADDRESSEE = {
  firstName: named('first_name'),
  town: AS_IS,
  bornAtMs: dated('born_at'),
} satisfies RecordForm<Addressee>;

const PARCEL = {
  id: ID,
  weightG: named('weight_g'),
  tags: { missing: [] },
  sentAtMs: dated('sent_at'),
  addressee: { codec: codecOf<Addressee, typeof ADDRESSEE>(ADDRESSEE) },
} satisfies RecordForm<Parcel>;

interface Beside {
  readonly heavy: true | undefined;
}

const besideOf = ({ weightG }: Parcel): Beside => ({ heavy: weightG > 1_000 || undefined });

const PLAIN: Parcel = { id: 'par_1', weightG: 5, tags: ['a'], sentAtMs: undefined };
const PLAIN_DOCUMENT = { _id: 'par_1', weight_g: 5, tags: ['a'] };
const FULL: Parcel = {
  id: 'par_1',
  weightG: 2_000,
  tags: [],
  sentAtMs: 3_000,
  addressee: { firstName: 'Ada', town: 'London', bornAtMs: 1_000 },
};
const FULL_DOCUMENT = {
  _id: 'par_1',
  weight_g: 2_000,
  tags: [],
  sent_at: new Date(3_000),
  addressee: { first_name: 'Ada', town: 'London', born_at: new Date(1_000) },
  heavy: true,
};

const NAMELESS: Parcel = { ...PLAIN, addressee: { firstName: 'Ada', town: undefined } };
const NAMELESS_DOCUMENT = { ...PLAIN_DOCUMENT, addressee: { first_name: 'Ada' } };

let server: EmbeddedMongo;
let store: MongoStore;

beforeAll(async () => {
  server = await createTestMongo();
  store = openMongo({ uri: server.uriFor('test'), appName: 'test', logger: silentLogger });
  await store.connect();
});

afterAll(async () => {
  await store.close();
  await server.close();
});

beforeEach(() => documents().removeMany({}));

const documents = () => documentsOf<{ _id: string; [name: string]: unknown }>(store, 'parcels');
const parcels = () => recordsOf<Parcel, typeof PARCEL, Beside>(store, 'parcels', PARCEL, besideOf);
const only = { _id: 'par_1' };

test.each([
  ['all members', FULL, FULL_DOCUMENT],
  ['members that are absent', PLAIN, PLAIN_DOCUMENT],
  ['members that are absent within', NAMELESS, NAMELESS_DOCUMENT],
])('a record with %s is stored in its form and read back', async (_of, parcel, document) => {
  expect(await parcels().insert(parcel)).toBe(true);
  const stored = await documents().find(only);
  expect(stored).toEqual(document);
  expect(Object.keys(stored ?? {})).toEqual(Object.keys(document));
  expect(await parcels().find(only)).toEqual(parcel);
  expect(await parcels().list({})).toEqual([parcel]);
});

test('what a document lacks is what the form says, or undefined', async () => {
  await documents().insertOrReject({ _id: 'par_1', weight_g: 5, another: 'not of the form' });
  const [found] = await parcels().list({});
  expect(Object.entries(found ?? {})).toEqual([
    ['id', 'par_1'],
    ['weightG', 5],
    ['tags', []],
    ['sentAtMs', undefined],
    ['addressee', undefined],
  ]);
});

test('a second one of an id is told, or rejects', async () => {
  await parcels().insertOrReject(PLAIN);
  expect(await parcels().insert(FULL)).toBe(false);
  await expect(parcels().insertOrReject(FULL)).rejects.toMatchObject({ code: 'DATABASE_ERROR' });
  expect(await parcels().find(only)).toEqual(PLAIN);
});

test('a record that replaces another leaves nothing of it', async () => {
  await parcels().insertOrReject(FULL);
  await documents().update(only, { $set: { another: 'not of the form' } });
  expect(await parcels().replace({ ...only, weight_g: 1 }, PLAIN)).toBe(false);
  expect(await parcels().replace({ ...only, weight_g: 2_000 }, PLAIN)).toBe(true);
  expect(await documents().find(only)).toEqual({ ...PLAIN_DOCUMENT, another: 'not of the form' });
  expect(await parcels().replace(only, FULL)).toBe(true);
  expect(await documents().find(only)).toEqual({ ...FULL_DOCUMENT, another: 'not of the form' });
});

test('a member that is left out of a replacement stays as it was', async () => {
  await parcels().insertOrReject(FULL);
  await parcels().replace(only, PLAIN, ['sentAtMs']);
  expect(await documents().find(only)).toEqual({ ...PLAIN_DOCUMENT, sent_at: new Date(3_000) });
  await parcels().replace(only, { ...PLAIN, sentAtMs: 4_000 }, ['sentAtMs']);
  expect(await documents().find(only)).toEqual({ ...PLAIN_DOCUMENT, sent_at: new Date(3_000) });
});

test('a record is taken once', async () => {
  await parcels().insertOrReject(FULL);
  expect(await parcels().take(only)).toEqual(FULL);
  expect(await parcels().take(only)).toBeUndefined();
});

test('a member that the form does not know is refused, also in a record within', async () => {
  const wider = { ...PLAIN, secret: 'x' };
  const within = { ...PLAIN, addressee: { firstName: 'Ada', town: 'London', secret: 'x' } };
  for (const parcel of [wider, within]) {
    await expect(parcels().insert(parcel)).rejects.toThrow('no form for the member secret');
    await expect(parcels().insertOrReject(parcel)).rejects.toThrow('no form for the member secret');
    await expect(parcels().replace(only, parcel)).rejects.toThrow('no form for the member secret');
  }
  expect(await documents().list({})).toEqual([]);
});
