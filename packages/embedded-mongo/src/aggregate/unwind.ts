import { CommandError } from '../errors';
import { type FieldPath, getPath, parsePath } from '../values/path';
import { type Document, isDocument, isTruthy, type Value } from '../values/value';
import type { Transform } from './transform';

interface Unwind {
  readonly path: FieldPath;
  readonly keepEmpty: boolean;
  readonly positionField: string | undefined;
}

function parseUnwind(operand: Value): Unwind {
  const options: Document = isDocument(operand) ? operand : new Map([['path', operand]]);
  for (const name of options.keys()) {
    if (!['path', 'preserveNullAndEmptyArrays', 'includeArrayIndex'].includes(name)) {
      throw new CommandError('Location28811', `unrecognized option to $unwind stage: ${name}`);
    }
  }
  const path = options.get('path');
  if (typeof path !== 'string') throw new CommandError('Location28812', '$unwind needs a path');
  if (!path.startsWith('$') || path.startsWith('$$')) {
    throw new CommandError('Location28818', `path option to $unwind must be prefixed with '$'`);
  }
  const positionField = options.get('includeArrayIndex');
  if (
    positionField !== undefined &&
    (typeof positionField !== 'string' || /[.$]/.test(positionField))
  ) {
    throw new CommandError('BadValue', 'includeArrayIndex of $unwind must be a plain name');
  }
  return {
    path: parsePath(path.slice(1)),
    keepEmpty: isTruthy(options.get('preserveNullAndEmptyArrays')),
    positionField,
  };
}

/** Compiles `$unwind`: one document per element of an array. */
export function compileUnwind(operand: Value): Transform {
  const unwind = parseUnwind(operand);
  return function* (input) {
    for (const document of input) yield* unwindOne(document, unwind);
  };
}

function* unwindOne(document: Document, unwind: Unwind): Iterable<Document> {
  const value = getPath(document, unwind.path);
  if (Array.isArray(value) && value.length > 0) {
    for (const [position, element] of value.entries()) {
      yield withPosition(withValue(document, unwind.path, element), unwind, BigInt(position));
    }
  } else if (value !== undefined && value !== null && !Array.isArray(value)) {
    yield withPosition(new Map(document), unwind, null);
  } else if (unwind.keepEmpty) {
    const kept = Array.isArray(value) ? withValue(document, unwind.path, undefined) : document;
    yield withPosition(new Map(kept), unwind, null);
  }
}

function withPosition(document: Document, unwind: Unwind, position: bigint | null): Document {
  if (unwind.positionField !== undefined) document.set(unwind.positionField, position);
  return document;
}

/** A copy along the path, with the value put at its end, or taken away when undefined. */
function withValue(document: Document, path: FieldPath, value: Value | undefined): Document {
  const [name = '', ...rest] = path;
  const copy: Document = new Map(document);
  const member = copy.get(name);
  if (rest.length > 0) {
    if (isDocument(member)) copy.set(name, withValue(member, rest, value));
  } else if (value === undefined) {
    copy.delete(name);
  } else {
    copy.set(name, value);
  }
  return copy;
}
