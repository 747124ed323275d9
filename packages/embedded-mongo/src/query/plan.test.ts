import { serialize } from 'bson';
import type { Collection } from '../storage/collection';
import { IN_MEMORY } from '../storage/data-file';
import { parseIndexDefinition } from '../storage/index-definition';
import { openStore } from '../storage/store';
import { decodeDocument } from '../values/decode';
import type { Document } from '../values/value';
import { parseFilter } from './filter';
import { planQuery } from './plan';
import { parseSort } from './sort';

function toDocument(members: Record<string, unknown>): Document {
  return decodeDocument(Buffer.from(serialize(members)));
}

/** A collection with the indexes that the rules below speak of. */
function openIndexed(): Collection {
  const store = openStore(IN_MEMORY);
  const collection = store.findOrCreate('d', 'c');
  const declare = (name: string, key: Record<string, number>, options = {}) =>
    store.createIndex(collection, parseIndexDefinition(toDocument({ name, key, ...options })));
  declare('account-at', { account: 1, at: -1 });
  declare('status', { status: 1 }, { partialFilterExpression: { status: 'pending' } });
  declare('closed', { closed: 1 }, { partialFilterExpression: { closed: { $exists: true } } });
  declare('sparse', { email: 1 }, { sparse: true });
  declare('tags', { tags: 1 });
  return collection;
}

const collection = openIndexed();

function plan(filter: Record<string, unknown>, sort: Record<string, number> = {}, limited = false) {
  const parsed = parseFilter(toDocument(filter));
  const chosen = planQuery(collection, parsed, parseSort(toDocument(sort)), limited);
  if (chosen.kind !== 'index') return chosen.kind;
  const name = chosen.index?.definition.name ?? '_id';
  return [name, chosen.ranges.length, chosen.sorted, chosen.reverse];
}

it('ids are looked up, whatever else the filter asks', () => {
  expect(plan({ _id: 'a' })).toBe('ids');
  expect(plan({ _id: 'a', rev: 1, account: 'x' })).toBe('ids');
  expect(plan({ _id: { $in: ['a', 'b'] } })).toBe('ids');
});

it('a range of ids or an order by id walks the ids', () => {
  expect(plan({ _id: { $gt: 'a' } }, { _id: 1 }, true)).toEqual(['_id', 1, true, false]);
  expect(plan({}, { _id: -1 }, true)).toEqual(['_id', 1, true, true]);
});

it('leading equalities and a range walk an index, in its order or against it', () => {
  const at = { $gte: new Date(0), $lt: new Date(9) };
  expect(plan({ account: 'a', at }, { at: -1 })).toEqual(['account-at', 1, true, false]);
  expect(plan({ account: 'a', at }, { at: 1 })).toEqual(['account-at', 1, true, true]);
  expect(plan({ account: { $in: ['a', 'b'] } }, { at: 1 })).toEqual([
    'account-at',
    2,
    false,
    false,
  ]);
  expect(plan({ at })).toBe('scan');
});

it.each([
  [{ $gte: 0, $gt: 5 }, { $gt: 5 }],
  [{ $gt: 5, $gte: 0 }, { $gt: 5 }],
  [{ $gte: 5, $gt: 5 }, { $gt: 5 }],
  [{ $lt: 9, $lte: 3 }, { $lte: 3 }],
  [{ $lte: 9, $lt: 9 }, { $lt: 9 }],
  [
    { $gte: 0, $lte: 9, $gt: 5 },
    { $gt: 5, $lte: 9 },
  ],
])('of the ends %j an index is walked between %j', (closed, tightest) => {
  const planOf = (filter: object) =>
    planQuery(collection, parseFilter(toDocument({ closed: filter })), [], false);
  expect(planOf(closed)).toMatchObject({ kind: 'index' });
  expect(planOf(closed)).toEqual(planOf(tightest));
});

it('an index that leaves documents out serves only filters that leave them out', () => {
  expect(plan({ status: 'pending' })).toEqual(['status', 1, true, false]);
  expect(plan({ status: 'done' })).toBe('scan');
  expect(plan({ status: { $in: ['pending', 'done'] } })).toBe('scan');
  expect(plan({ status: { $gte: 'pending' } })).toBe('scan');
  expect(plan({ closed: 5 })).toEqual(['closed', 1, true, false]);
  expect(plan({ closed: { $gt: 5 } })).toEqual(['closed', 1, true, false]);
  expect(plan({ closed: null })).toBe('scan');
  expect(plan({ email: 'e' })).toEqual(['sparse', 1, true, false]);
  expect(plan({ email: null })).toBe('scan');
});

it('an index over arrays gives no order', () => {
  const document = toDocument({ _id: 1, tags: ['a', 'b'] });
  collection.insert(document, Buffer.from(serialize({ _id: 1, tags: ['a', 'b'] })));
  expect(plan({ tags: 'a' }, { tags: 1 })).toEqual(['tags', 1, false, false]);
  expect(plan({}, { tags: 1 }, true)).toBe('scan');
});

it('negations are scanned', () => {
  expect(plan({ account: { $ne: 'a' } })).toBe('scan');
  expect(plan({ account: { $nin: ['a'] } })).toBe('scan');
});
