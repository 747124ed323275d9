import { Int32 } from 'bson';
import { CommandError } from '../errors';
import { findMatches, type Match } from '../query/find';
import { parseFilter } from '../query/parse';
import type { Predicate } from '../query/predicate';
import { parseSort, type SortField } from '../query/sort';
import type { Collection } from '../storage/collection';
import { applyUpdate } from '../update/apply';
import { parseUpdate, type UpdatePlan } from '../update/parse';
import { makeUpsert } from '../update/upsert';
import { valuesEqual } from '../values/compare';
import type { Encodable } from '../values/encode';
import { requireDocument } from '../values/require-document';
import { cloneValue, type Document, type Value } from '../values/value';
import {
  type Command,
  type CommandContext,
  type CommandDefinition,
  collectionName,
  ok,
  optionalDocument,
  optionalFlag,
  refuseMembers,
} from './command';
import { encodeForStorage, insertDocument } from './insert';
import { runBatch, writeErrorsMember } from './write-batch';

/** Applies the update to one stored document; answers whether any byte changed. */
export function updateStored(
  context: CommandContext,
  collection: Collection,
  match: Match,
  plan: UpdatePlan,
): { readonly modified: boolean; readonly after: Document } {
  const document = match.document();
  const id = document.get('_id');
  // Taken before the document is changed in place.
  const oldEntries = collection.entriesOf(document);
  const nowMs = context.clock.now();
  const after = applyUpdate(document, plan, { nowMs, inserting: false });
  const newId = after.get('_id');
  if (newId === undefined || id === undefined || !valuesEqual(newId, id)) {
    throw new CommandError(
      'ImmutableField',
      "Performing an update on the path '_id' would modify the immutable field '_id'",
    );
  }
  const body = encodeForStorage(after, context.limits.documentBytesMax);
  if (body.equals(match.stored.body)) return { modified: false, after };
  collection.replace(match.stored, oldEntries, { document: after, body });
  return { modified: true, after };
}

/** Inserts what an upsert makes of its filter and update. */
export function insertUpsert(
  context: CommandContext,
  collection: Collection,
  predicate: Predicate,
  plan: UpdatePlan,
): Document {
  const document = makeUpsert(predicate, plan, context.clock.now());
  return insertDocument(context, collection, document);
}

interface Statement {
  readonly predicate: Predicate;
  readonly plan: UpdatePlan;
  readonly multi: boolean;
  readonly upsert: boolean;
  readonly sort: readonly SortField[];
}

const STATEMENT_FIELDS: ReadonlySet<string> = new Set([
  'q',
  'u',
  'multi',
  'upsert',
  'sort',
  'collation',
  'arrayFilters',
  'hint',
  'c',
]);

function parseStatement(value: Value): Statement {
  const statement = requireDocument(value, 'an update statement');
  for (const name of statement.keys()) {
    if (!STATEMENT_FIELDS.has(name)) {
      throw new CommandError('Location40415', `BSON field 'update.updates.${name}' is unknown.`);
    }
  }
  refuseArrayFilters(statement);
  refuseMembers(statement, 'update.updates', ['collation', 'hint', 'c']);
  const plan = parseUpdate(statement.get('u'));
  const multi = optionalFlag(statement, 'multi');
  if (multi && plan.kind === 'replace') {
    throw new CommandError('FailedToParse', 'multi update is not supported for replacement-style');
  }
  return {
    predicate: parseFilter(requireDocument(statement.get('q'), 'q')),
    plan,
    multi,
    upsert: optionalFlag(statement, 'upsert'),
    sort: parseSort(optionalDocument(statement, 'sort')),
  };
}

/** An error for every use of arrayFilters, also empty ones: they promise what is not done. */
export function refuseArrayFilters(body: Document): void {
  if (!body.has('arrayFilters')) return;
  throw new CommandError('FailedToParse', 'arrayFilters are not supported');
}

interface Totals {
  matched: number;
  modified: number;
  readonly upserted: Encodable[];
}

function runStatement(
  context: CommandContext,
  collection: Collection,
  statement: Statement,
  report: { readonly totals: Totals; readonly index: number },
): void {
  const { predicate, plan, sort } = statement;
  const limit = statement.multi ? 0 : 1;
  const matches = findMatches(collection, { predicate, sort, skip: 0, limit });
  const { totals, index } = report;
  for (const match of matches) {
    if (updateStored(context, collection, match, plan).modified) totals.modified += 1;
    totals.matched += 1;
  }
  if (matches.length > 0 || !statement.upsert) return;
  const inserted = insertUpsert(context, collection, predicate, plan);
  totals.matched += 1;
  totals.upserted.push(
    new Map<string, Encodable>([
      ['index', new Int32(index)],
      ['_id', cloneValue(inserted.get('_id') ?? null)],
    ]),
  );
}

function update(context: CommandContext, command: Command) {
  const { body } = command;
  refuseMembers(body, 'update', ['let']);
  const updates = body.get('updates');
  if (!Array.isArray(updates) || updates.length === 0) {
    throw new CommandError('BadValue', "'updates' must be a nonempty array");
  }
  const name = collectionName(command);
  const ordered = !body.has('ordered') || optionalFlag(body, 'ordered');
  const totals: Totals = { matched: 0, modified: 0, upserted: [] };
  const errors = runBatch(updates, { ordered, context }, (value, index) => {
    const statement = parseStatement(value);
    const collection = statement.upsert
      ? context.store.findOrCreate(command.database, name)
      : context.store.find(command.database, name);
    if (collection !== undefined) runStatement(context, collection, statement, { totals, index });
  });
  const upserted: [string, Encodable][] =
    totals.upserted.length === 0 ? [] : [['upserted', totals.upserted]];
  return ok([
    ['n', new Int32(totals.matched)],
    ...upserted,
    ['nModified', new Int32(totals.modified)],
    ...writeErrorsMember(errors),
  ]);
}

/** Changing documents. */
export const updateCommands: Readonly<Record<string, CommandDefinition>> = {
  update: {
    access: 'write',
    fields: ['updates', 'ordered', 'bypassDocumentValidation', 'let'],
    run: update,
  },
};
