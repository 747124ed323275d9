import { CommandError } from '../errors';
import { addToTree, type ProjectionTree, project } from '../query/projection';
import { type FieldPath, parsePath } from '../values/path';
import { type Document, isDocument, isNumber, isTruthy, type Value } from '../values/value';
import { compileExpression } from './expression';
import type { Expression } from './expression-types';

/** Turns one document into another. */
export type Shape = (document: Document) => Document;

interface ComputedField {
  readonly name: string;
  readonly path: FieldPath;
  readonly expression: Expression;
}

interface Parts {
  readonly included: string[];
  readonly excluded: string[];
  readonly computed: ComputedField[];
}

/** A nested document without operators names fields inside the field; anything else is a leaf. */
function isNested(value: Value): value is Document {
  if (!isDocument(value) || value.size === 0) return false;
  return ![...value.keys()].some((name) => name.startsWith('$'));
}

function takeApart(parts: Parts, prefix: string, specification: Document, flags: boolean): void {
  for (const [field, value] of specification) {
    const name = prefix === '' ? field : `${prefix}.${field}`;
    if (isNested(value)) takeApart(parts, name, value, flags);
    else if (flags && (typeof value === 'boolean' || isNumber(value))) {
      (isTruthy(value) ? parts.included : parts.excluded).push(name);
    } else {
      parts.computed.push({ name, path: parsePath(name), expression: compile(value, flags) });
    }
  }
}

/** MongoDB has a code of its own for an unknown expression in `$project`. */
function compile(value: Value, inProject: boolean): Expression {
  try {
    return compileExpression(value);
  } catch (error) {
    const unknown = error instanceof CommandError && error.codeName === 'InvalidPipelineOperator';
    if (!unknown || !inProject) throw error;
    throw new CommandError('Location31325', `Invalid $project :: caused by :: ${error.message}`);
  }
}

/** Compiles `$project`: fields that stay and are computed, or fields that go. */
export function compileProject(specification: Document): Shape {
  if (specification.size === 0) {
    throw new CommandError('Location51272', '$project needs at least one field');
  }
  const parts: Parts = { included: [], excluded: [], computed: [] };
  takeApart(parts, '', specification, true);
  const excluded = parts.excluded.filter((name) => name !== '_id');
  const included = parts.included.filter((name) => name !== '_id');
  const includeId = !parts.excluded.includes('_id');
  const keeps = included.length + parts.computed.length > 0 || parts.included.includes('_id');
  if (keeps && excluded.length > 0) {
    throw new CommandError(
      'Location31254',
      `Cannot do exclusion on field ${excluded[0]} in inclusion projection`,
    );
  }
  const names = keeps ? included : excluded;
  const shown = buildTree(names);
  // Built for its check: an included and a computed field must not name the same place.
  buildTree([...names, ...parts.computed.map((field) => field.name)]);
  const projection = { kind: keeps ? 'include' : 'exclude', tree: shown, includeId } as const;
  return (document) => setComputed(project(document, projection), document, parts.computed);
}

function buildTree(names: readonly string[]): ProjectionTree {
  const tree = new Map<string, ProjectionTree | true>();
  for (const name of names) addToTree(tree, name);
  return tree;
}

/** Compiles `$addFields` and `$set`: fields added to the document or put in place of others. */
export function compileAddFields(specification: Document): Shape {
  if (specification.size === 0) {
    throw new CommandError('Location40177', '$addFields needs at least one field');
  }
  const parts: Parts = { included: [], excluded: [], computed: [] };
  takeApart(parts, '', specification, false);
  buildTree(parts.computed.map((field) => field.name));
  return (document) => setComputed(new Map(document), document, parts.computed);
}

/** Expressions see the document as it came in, not what earlier fields of the stage computed. */
function setComputed(
  result: Document,
  source: Document,
  computed: readonly ComputedField[],
): Document {
  for (const { path, expression } of computed) setField(result, path, 0, expression(source));
  return result;
}

/** Sets into a document that the caller owns; what lies below is copied before it is changed. */
function setField(
  container: Document,
  path: FieldPath,
  at: number,
  value: Value | undefined,
): void {
  const name = path[at] ?? '';
  if (at === path.length - 1) {
    if (value === undefined) container.delete(name);
    else container.set(name, value);
    return;
  }
  container.set(name, withField(container.get(name), path, at + 1, value));
}

function withField(
  current: Value | undefined,
  path: FieldPath,
  at: number,
  value: Value | undefined,
): Value {
  if (Array.isArray(current)) {
    return current.map((element) => withField(element, path, at, value));
  }
  const copy: Document = new Map(isDocument(current) ? current : []);
  setField(copy, path, at, value);
  return copy;
}
