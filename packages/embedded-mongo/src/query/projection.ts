import { CommandError } from '../errors';
import { parsePath } from '../values/path';
import { type Document, isDocument, isNumber, isTruthy, type Value } from '../values/value';

/** Fields by name; a leaf is `true`. */
export interface ProjectionTree extends ReadonlyMap<string, ProjectionTree | true> {}

/** A parsed projection: what stays, or what goes. */
export interface Projection {
  readonly kind: 'include' | 'exclude';
  readonly tree: ProjectionTree;
  readonly includeId: boolean;
}

type Tree = Map<string, Tree | true>;

/** Parses `projection` or `fields`; undefined keeps whole documents. */
export function parseProjection(document: Document): Projection | undefined {
  if (document.size === 0) return undefined;
  const tree: Tree = new Map();
  let kind: Projection['kind'] | undefined;
  let includeId = true;
  for (const [name, value] of document) {
    const included = requireFlag(name, value);
    if (name === '_id') {
      includeId = included;
      continue;
    }
    const wanted = included ? 'include' : 'exclude';
    kind ??= wanted;
    if (kind !== wanted) {
      throw included
        ? new CommandError(
            'Location31253',
            `Cannot do inclusion on field ${name} in exclusion projection`,
          )
        : new CommandError(
            'Location31254',
            `Cannot do exclusion on field ${name} in inclusion projection`,
          );
    }
    addToTree(tree, name);
  }
  return { kind: kind ?? (includeId ? 'include' : 'exclude'), tree, includeId };
}

function requireFlag(name: string, value: Value): boolean {
  if (typeof value === 'boolean' || isNumber(value)) return isTruthy(value);
  throw new CommandError(
    'BadValue',
    `The projection of '${name}' must be 0, 1, true or false; operators are not supported`,
  );
}

/** Adds a dotted name; one that contains another is an error, as in MongoDB. */
export function addToTree<Leaf>(tree: Map<string, unknown>, name: string, leaf?: Leaf): void {
  const path = parsePath(name);
  if (name.includes('$')) {
    throw new CommandError('BadValue', `The projection '${name}' is not supported`);
  }
  let level = tree;
  for (const [index, component] of path.entries()) {
    const existing = level.get(component);
    const last = index === path.length - 1;
    if (existing !== undefined && (last || !(existing instanceof Map))) {
      throw new CommandError('Location31249', `Path collision at ${name}`);
    }
    if (last) {
      level.set(component, leaf ?? true);
    } else {
      const next = (existing as Map<string, unknown> | undefined) ?? new Map<string, unknown>();
      level.set(component, next);
      level = next;
    }
  }
}

/** The document as the projection shows it; unchanged parts are shared, not copied. */
export function project(document: Document, projection: Projection): Document {
  const { kind, tree, includeId } = projection;
  const result: Document = new Map();
  for (const [name, value] of document) {
    if (name === '_id') {
      if (includeId) result.set(name, value);
      continue;
    }
    const shown =
      kind === 'include' ? include(value, tree.get(name)) : exclude(value, tree.get(name));
    if (shown !== undefined) result.set(name, shown);
  }
  return result;
}

type Branch = ProjectionTree | true | undefined;

function include(value: Value, branch: Branch): Value | undefined {
  if (branch === true) return value;
  if (branch === undefined) return undefined;
  if (Array.isArray(value)) {
    return value.flatMap((element) => {
      const shown = include(element, branch);
      return shown === undefined ? [] : [shown];
    });
  }
  if (!isDocument(value)) return undefined;
  const result: Document = new Map();
  for (const [name, member] of value) {
    const shown = include(member, branch.get(name));
    if (shown !== undefined) result.set(name, shown);
  }
  return result;
}

function exclude(value: Value, branch: Branch): Value | undefined {
  if (branch === true) return undefined;
  if (branch === undefined) return value;
  if (Array.isArray(value)) {
    // A branch never removes an element, only fields inside it.
    return value.map((element) => exclude(element, branch) ?? null);
  }
  if (!isDocument(value)) return value;
  const result: Document = new Map();
  for (const [name, member] of value) {
    const shown = exclude(member, branch.get(name));
    if (shown !== undefined) result.set(name, shown);
  }
  return result;
}
