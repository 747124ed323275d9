/** BSON as plain members: number is int32 when whole, bigint is int64, Double stays a double. */
export type Members = Readonly<Record<string, unknown>>;

/** The answer that a command must give. */
export type Expectation =
  /** These members, each exactly; further members may be there. */
  | { readonly kind: 'reply'; readonly members: Members }
  /** These documents in the first batch, in this order unless `anyOrder`. */
  | {
      readonly kind: 'documents';
      readonly documents: readonly Members[];
      readonly anyOrder: boolean;
    }
  /** One document in the first batch with exactly these members, in whatever order. */
  | { readonly kind: 'members'; readonly members: Members }
  /** A failure of the whole command. */
  | { readonly kind: 'error'; readonly code: number }
  /** Failed statements by place and code; `n` counts what succeeded. */
  | {
      readonly kind: 'writeErrors';
      readonly errors: readonly { readonly index: number; readonly code: number }[];
      readonly n: number;
    };

/** One command with its expected answer. */
export interface ConformanceStep {
  readonly command: Members;
  readonly expected: Expectation;
}

/** A guarantee in one sentence, the documents it starts from, and the commands that show it. */
export interface ConformanceCase {
  readonly title: string;
  /** Stored in collection `c` before the first step. */
  readonly seed: readonly Members[];
  readonly steps: readonly ConformanceStep[];
}

/** The collection that every case works on, in a database of its own. */
export const CASE_COLLECTION = 'c';

/** A command that answers these members. */
export function replies(command: Members, members: Members): ConformanceStep {
  return { command, expected: { kind: 'reply', members } };
}

/** A command that answers these documents in this order. */
export function answers(command: Members, documents: readonly Members[]): ConformanceStep {
  return { command, expected: { kind: 'documents', documents, anyOrder: false } };
}

/** A command that answers these documents in whatever order. */
export function answersSet(command: Members, documents: readonly Members[]): ConformanceStep {
  return { command, expected: { kind: 'documents', documents, anyOrder: true } };
}

/** A command that fails as a whole with this code. */
export function fails(command: Members, code: number): ConformanceStep {
  return { command, expected: { kind: 'error', code } };
}

/** A find on the case's collection. */
export function find(filter: Members, options: Members = {}): Members {
  return { find: CASE_COLLECTION, filter, ...options };
}

/** A find that answers the documents with these ids, in order of _id. */
export function findsIds(filter: Members, ids: readonly unknown[]): ConformanceStep {
  return answers(
    find(filter, { projection: { _id: 1 }, sort: { _id: 1 } }),
    ids.map((_id) => ({ _id })),
  );
}

/** The content of the document with this id, in whatever order: an upsert promises none. */
export function holds(_id: unknown, members: Members): ConformanceStep {
  return { command: find({ _id }), expected: { kind: 'members', members: { _id, ...members } } };
}

/** An update with one statement. */
export function update(q: Members, u: unknown, options: Members = {}): Members {
  return { update: CASE_COLLECTION, updates: [{ q, u, ...options }] };
}

/** An aggregation over the case's collection. */
export function aggregate(...pipeline: readonly Members[]): Members {
  return { aggregate: CASE_COLLECTION, pipeline, cursor: {} };
}

/** The driver's way to count. */
export function count(filter: Members, limit?: number): Members {
  return aggregate({ $match: filter }, ...(limit === undefined ? [] : [{ $limit: limit }]), {
    $group: { _id: 1, n: { $sum: 1 } },
  });
}

/** An update of the document with _id 1 and what the document is afterwards. */
export function changes(u: unknown, after: Members): readonly ConformanceStep[] {
  return [
    replies(update({ _id: 1 }, u), { n: 1, nModified: 1 }),
    answers(find({ _id: 1 }), [after]),
  ];
}

/** An update of the document with _id 1 that fails as a statement. */
export function refusesUpdate(u: unknown, code: number): ConformanceStep {
  return {
    command: update({ _id: 1 }, u),
    expected: { kind: 'writeErrors', errors: [{ index: 0, code }], n: 0 },
  };
}
