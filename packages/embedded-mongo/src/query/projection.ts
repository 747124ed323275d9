import { CommandError } from '../errors';
import { parsePath } from '../values/path';
import { type Document, isDocument, isNumber, isTruthy, type Value } from '../values/value';

/** The fields that stay, by name; a field that stays whole is `true`. */
export interface Projection extends ReadonlyMap<string, Projection | true> {}

type Tree = Map<string, Tree | true>;

/** Parses `projection`, which includes fields, or leaves `_id` out; undefined keeps all of them. */
export function parseProjection(document: Document): Projection | undefined {
  if (document.size === 0) return undefined;
  const tree: Tree = new Map([['_id', true]]);
  for (const [name, value] of document) {
    const isSwitch = typeof value === 'boolean' || isNumber(value);
    if (name === '_id' && isSwitch && !isTruthy(value) && document.size > 1) {
      tree.delete('_id');
      continue;
    }
    const included = isSwitch && isTruthy(value);
    if (!included || name.includes('$')) {
      throw new CommandError(
        'BadValue',
        `The projection of '${name}' is not supported: fields are included by 1 or true`,
      );
    }
    if (name !== '_id') include(tree, name);
  }
  return tree;
}

/** Adds a dotted name; one that contains another is an error, as in MongoDB. */
function include(tree: Tree, name: string): void {
  const path = parsePath(name);
  let level = tree;
  for (const [index, component] of path.entries()) {
    const existing = level.get(component);
    const last = index === path.length - 1;
    if (existing !== undefined && (last || existing === true)) {
      throw new CommandError('Location31249', `Path collision at ${name}`);
    }
    const next: Tree = existing ?? new Map<string, Tree | true>();
    level.set(component, last ? true : next);
    level = next;
  }
}

/** The document as the projection shows it; unchanged parts are shared, not copied. */
export function project(document: Document, projection: Projection): Document {
  const result: Document = new Map();
  for (const [name, value] of document) {
    const shown = show(value, projection.get(name));
    if (shown !== undefined) result.set(name, shown);
  }
  return result;
}

function show(value: Value, branch: Projection | true | undefined): Value | undefined {
  if (branch === undefined || branch === true) return branch && value;
  if (isDocument(value)) return project(value, branch);
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((element) => {
    const shown = show(element, branch);
    return shown === undefined ? [] : [shown];
  });
}
