import { ObjectId } from 'bson';
import { CommandError } from '../errors';
import type { Predicate } from '../query/predicate';
import { getPath } from '../values/path';
import { cloneValue, type Document, isDocument } from '../values/value';
import { applyUpdate } from './apply';
import type { UpdatePlan } from './parse';

/** The document that an upsert inserts: the filter's equalities, then the update, `_id` first. */
export function makeUpsert(predicate: Predicate, plan: UpdatePlan, nowMs: number): Document {
  const base: Document = new Map();
  if (plan.kind === 'change') addEqualities(base, predicate);
  else addId(base, predicate);
  const result = applyUpdate(base, plan, { nowMs, inserting: true });
  return withIdFirst(result);
}

/** `_id` leads, and is made when there is none. */
export function withIdFirst(document: Document): Document {
  const [first] = document.keys();
  if (first === '_id') return document;
  const result: Document = new Map([['_id', document.get('_id') ?? new ObjectId()]]);
  for (const [name, value] of document) if (name !== '_id') result.set(name, value);
  return result;
}

function addId(base: Document, predicate: Predicate): void {
  const found: Document = new Map();
  addEqualities(found, predicate);
  const id = found.get('_id');
  if (id !== undefined) base.set('_id', id);
}

function addEqualities(base: Document, predicate: Predicate): void {
  if (predicate.kind === 'and') {
    for (const clause of predicate.clauses) addEqualities(base, clause);
    return;
  }
  if (predicate.kind === 'or' && predicate.clauses.length === 1) {
    for (const clause of predicate.clauses) addEqualities(base, clause);
    return;
  }
  if (predicate.kind !== 'field') return;
  const { test, path, name } = predicate;
  const value =
    test.kind === 'compare' && test.comparison === 'eq'
      ? test.operand
      : test.kind === 'in' && test.operands.length === 1 && test.patterns.length === 0
        ? test.operands[0]
        : undefined;
  if (value === undefined) return;
  if (getPath(base, path) !== undefined) {
    throw new CommandError('BadValue', `cannot infer query fields to set, '${name}' is twice`);
  }
  let container = base;
  for (const component of path.slice(0, -1)) {
    const next = container.get(component) ?? new Map();
    if (!isDocument(next)) {
      throw new CommandError('BadValue', `cannot infer query fields to set, see '${name}'`);
    }
    container.set(component, next);
    container = next;
  }
  container.set(path.at(-1) ?? '', cloneValue(value));
}
