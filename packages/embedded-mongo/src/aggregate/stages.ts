import { Int32 } from 'bson';
import { CommandError } from '../errors';
import { matches } from '../query/match';
import { parseFilter } from '../query/parse';
import type { Predicate } from '../query/predicate';
import { compareSortKeys, parseSort, type SortField, sortKeyOf } from '../query/sort';
import { parsePath } from '../values/path';
import { requireDocument } from '../values/require-document';
import { type Document, isDocument, toSafeInteger, type Value } from '../values/value';
import { compileGroup } from './group';
import { compileAddFields, compileProject, type Shape } from './shape';
import type { Transform } from './transform';
import { compileUnwind } from './unwind';

/** A parsed stage. The first four kinds can be handed to the query planner. */
export type Stage =
  | { readonly kind: 'match'; readonly predicate: Predicate }
  | { readonly kind: 'sort'; readonly fields: readonly SortField[] }
  | { readonly kind: 'skip'; readonly count: number }
  | { readonly kind: 'limit'; readonly count: number }
  | { readonly kind: 'transform'; readonly transform: Transform };

/** Parses one entry of a pipeline; a stage outside the closed list is an error that names it. */
export function parseStage(value: Value): Stage {
  const document = requireDocument(value, 'each element of the pipeline');
  const [entry] = document;
  if (entry === undefined || document.size !== 1) {
    throw new CommandError('Location40323', 'a pipeline stage must have exactly one field');
  }
  const [name, operand] = entry;
  switch (name) {
    case '$match':
      return { kind: 'match', predicate: parseFilter(requireDocument(operand, '$match')) };
    case '$sort':
      return { kind: 'sort', fields: parseSortStage(operand) };
    case '$skip':
      return { kind: 'skip', count: parseCount('$skip', operand, 0) };
    case '$limit':
      return { kind: 'limit', count: parseCount('$limit', operand, 1) };
    default:
      return { kind: 'transform', transform: parseTransform(name, operand) };
  }
}

function parseTransform(name: string, operand: Value): Transform {
  switch (name) {
    case '$group':
      return compileGroup(requireDocument(operand, '$group'));
    case '$project':
      return each(compileProject(requireDocument(operand, '$project')));
    case '$addFields':
    case '$set':
      return each(compileAddFields(requireDocument(operand, name)));
    case '$unwind':
      return compileUnwind(operand);
    case '$count':
      return compileCount(operand);
    default:
      throw new CommandError('Location40324', `Unrecognized pipeline stage name: '${name}'`);
  }
}

function parseSortStage(operand: Value): readonly SortField[] {
  if (!isDocument(operand) || operand.size === 0) {
    throw new CommandError('Location15976', '$sort stage must have at least one sort key');
  }
  return parseSort(operand);
}

function parseCount(name: string, operand: Value, least: number): number {
  const count = toSafeInteger(operand);
  if (count !== undefined && count >= least) return count;
  throw new CommandError(
    name === '$limit' ? 'Location15958' : 'Location15957',
    `the ${name} must be a whole number of at least ${least}`,
  );
}

function each(shape: Shape): Transform {
  return function* (input) {
    for (const document of input) yield shape(document);
  };
}

function compileCount(operand: Value): Transform {
  if (typeof operand !== 'string' || operand.startsWith('$') || operand.includes('.')) {
    throw new CommandError('Location40156', 'the count field must be a plain name');
  }
  const [name = ''] = parsePath(operand);
  return function* (input) {
    let count = 0;
    for (const _document of input) count += 1;
    if (count > 0) yield new Map([[name, new Int32(count)]]);
  };
}

/** How a stage changes the stream. */
export function transformOf(stage: Stage): Transform {
  switch (stage.kind) {
    case 'match':
      return function* (input) {
        for (const document of input) if (matches(stage.predicate, document)) yield document;
      };
    case 'sort':
      return (input) => sortAll(input, stage.fields);
    case 'skip':
      return function* (input) {
        let seen = 0;
        for (const document of input) {
          seen += 1;
          if (seen > stage.count) yield document;
        }
      };
    case 'limit':
      return function* (input) {
        let seen = 0;
        for (const document of input) {
          yield document;
          seen += 1;
          if (seen >= stage.count) return;
        }
      };
    case 'transform':
      return stage.transform;
  }
}

function sortAll(input: Iterable<Document>, fields: readonly SortField[]): Iterable<Document> {
  const keyed = [...input].map((document) => ({ document, key: sortKeyOf(document, fields) }));
  keyed.sort((left, right) => compareSortKeys(left.key, right.key, fields));
  return keyed.map((entry) => entry.document);
}
