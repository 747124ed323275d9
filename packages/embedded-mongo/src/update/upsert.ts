import { CommandError } from '../errors';
import type { FieldTest, Filter } from '../query/filter';
import { withIdFirst } from '../values/documents';
import { type FieldPath, getPath } from '../values/path';
import { cloneValue, type Document, isDocument, type Value } from '../values/value';
import { applyUpdate } from './apply';
import type { ParsedUpdate } from './parse';

/** The document that an upsert inserts: the filter's equalities, then the update, `_id` first. */
export function makeUpsert(filter: Filter, update: ParsedUpdate): Document {
  const equalities = equalitiesOf(filter);
  const id = equalities.get('_id');
  const keepsId: Document = new Map(id === undefined ? [] : [['_id', id]]);
  return withIdFirst(applyUpdate(update.kind === 'change' ? equalities : keepsId, update, true));
}

function equalitiesOf(filter: Filter): Document {
  const equalities: Document = new Map();
  for (const { name, path, test } of filter) {
    const value = soleValue(test);
    if (value === undefined) continue;
    if (getPath(equalities, path) !== undefined) {
      throw new CommandError('BadValue', `cannot infer query fields to set, '${name}' is twice`);
    }
    setPath(equalities, path, cloneValue(value), name);
  }
  return equalities;
}

/** The one value that satisfies the test, if there is one. */
function soleValue(test: FieldTest): Value | undefined {
  if (test.kind === 'compare' && test.comparison === 'eq') return test.operand;
  return test.kind === 'in' && test.operands.length === 1 ? test.operands[0] : undefined;
}

function setPath(document: Document, path: FieldPath, value: Value, name: string): void {
  let container = document;
  for (const component of path.slice(0, -1)) {
    const next = container.get(component) ?? new Map();
    if (!isDocument(next)) {
      throw new CommandError('BadValue', `cannot infer query fields to set, see '${name}'`);
    }
    container.set(component, next);
    container = next;
  }
  container.set(path.at(-1) ?? '', value);
}
