import { CommandError } from '../errors';
import { type FindOptions, type Match, streamMatches } from '../query/find';
import type { Collection } from '../storage/collection';
import { encodeDocument } from '../values/encode';
import type { Document, Value } from '../values/value';
import { parseStage, type Stage, transformOf } from './stages';

const STAGES_MAX = 100;

/** Parses a pipeline from the closed list of stages. */
export function parsePipeline(value: Value | undefined): readonly Stage[] {
  if (!Array.isArray(value)) {
    throw new CommandError('TypeMismatch', "'pipeline' must be an array");
  }
  if (value.length > STAGES_MAX) {
    throw new CommandError('BadValue', `a pipeline has at most ${STAGES_MAX} stages`);
  }
  return value.map(parseStage);
}

interface Split {
  readonly query: FindOptions;
  readonly rest: readonly Stage[];
}

/** The leading stages that are one query, so that indexes serve them, and what is left. */
function splitQuery(stages: readonly Stage[]): Split {
  let predicate: FindOptions['predicate'] = { kind: 'and', clauses: [] };
  let sort: FindOptions['sort'] = [];
  let skip = 0;
  let limit = 0;
  let next = 0;
  const take = <Kind extends Stage['kind']>(
    kind: Kind,
  ): Extract<Stage, { kind: Kind }> | undefined => {
    const stage = stages[next];
    if (stage?.kind !== kind) return undefined;
    next += 1;
    return stage as Extract<Stage, { kind: Kind }>;
  };
  predicate = take('match')?.predicate ?? predicate;
  sort = take('sort')?.fields ?? sort;
  skip = take('skip')?.count ?? skip;
  limit = take('limit')?.count ?? limit;
  return { query: { predicate, sort, skip, limit }, rest: stages.slice(next) };
}

/** Runs the pipeline to its end; the result is at most `bytesMax` large. */
export function runPipeline(
  collection: Collection | undefined,
  stages: readonly Stage[],
  bytesMax: number,
): readonly Buffer[] {
  const { query, rest } = splitQuery(stages);
  const found = collection === undefined ? [] : streamMatches(collection, query);
  const stream = rest.reduce<Iterable<Document>>(
    (input, stage) => transformOf(stage)(input),
    decodeAll(found),
  );
  const result: Buffer[] = [];
  let bytes = 0;
  const keep = (encoded: Buffer) => {
    bytes += encoded.length;
    if (bytes > bytesMax) {
      throw new CommandError('ExceededMemoryLimit', `the result has more than ${bytesMax} bytes`);
    }
    result.push(encoded);
  };
  if (rest.length === 0) for (const match of found) keep(match.stored.body);
  else for (const document of stream) keep(encodeDocument(document));
  return result;
}

/** One by one, so that a group over many documents does not hold all of them decoded. */
function* decodeAll(found: Iterable<Match>): Iterable<Document> {
  for (const match of found) yield match.document();
}
