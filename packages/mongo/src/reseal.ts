import { type Logger, type RotatingSealer, sealingKeyIdOf } from '@tollgate/core';
import { NOTHING_FOUND, type PageStart, pagesOf, type RepeatedWork } from '@tollgate/jobs';
import { documentsOf } from './documents';
import { afterId } from './pages';
import type { MongoStore } from './store';

/** Where the documents of a collection keep what is sealed. */
export interface SealedMember {
  readonly collection: string;
  /** Holds a sealed text, or a list of objects with one in `sealed`. */
  readonly member: string;
  /** The record that the texts of a document are sealed to. */
  recordOf(documentId: string): string;
}

export interface ResealOptions {
  readonly store: MongoStore;
  readonly member: SealedMember;
  readonly sealer: RotatingSealer;
  readonly logger: Logger;
}

type SealedValue = string | readonly { readonly sealed: string }[];

const PAGE = 100;
const INTERVAL_MS = 60_000;
/**
 * Between looks when nothing can be sealed again. There may be something later: replicas that do not
 * have the newest key yet still seal with an older one.
 */
const RESTING_MS = 3_600_000;
const LEFT = 'what an older key had sealed is left: it does not open, or was written meanwhile';

/**
 * Seals again with the newest key what an older one sealed, page by page. Each text names its key, so
 * a round that was cut short goes on where it was by looking at all of them again. A document that
 * is written meanwhile is left to the next round.
 */
export function createReseal(options: ResealOptions): RepeatedWork {
  const { store, member, logger } = options;
  const { collection } = member;
  return {
    name: `reseal-${collection}`,
    intervalMs: INTERVAL_MS,
    restingMs: RESTING_MS,
    async run(signal) {
      const seen = { resealed: 0, left: 0 };
      for await (const { id, value } of sealedValues(store, member)) {
        if (signal.aborted) return undefined;
        const outcome = await resealOne(options, id, value);
        if (outcome !== 'present') seen[outcome] += 1;
      }
      if (seen.left > 0) {
        logger.warn({ collection, ...seen }, LEFT);
      } else if (seen.resealed > 0) {
        logger.info({ collection, ...seen }, 'what an older key had sealed was sealed again');
      }
      // What never opens is no reason to read the whole collection each minute.
      return seen.resealed === 0 ? NOTHING_FOUND : undefined;
    },
  };
}

async function resealOne(
  { store, member, sealer, logger }: ResealOptions,
  id: string,
  value: SealedValue,
): Promise<'present' | 'resealed' | 'left'> {
  const isPresent = (sealed: string) => sealingKeyIdOf(sealed) === sealer.keyId;
  if (textsOf(value).every(isPresent)) return 'present';
  const record = member.recordOf(id);
  const again = (sealed: string) =>
    isPresent(sealed) ? sealed : sealer.seal(sealer.open(sealed, record), record);
  let next: SealedValue;
  try {
    next =
      typeof value === 'string'
        ? again(value)
        : value.map((one) => ({ ...one, sealed: again(one.sealed) }));
  } catch (error) {
    logger.debug({ collection: member.collection, id, error }, 'a sealed value does not open');
    return 'left';
  }
  const seen = { _id: id, [member.member]: value };
  const documents = documentsOf<SealedDocument>(store, member.collection);
  const written = await documents.update(seen, { $set: { [member.member]: next } });
  return written ? 'resealed' : 'left';
}

/** How many texts each key sealed, by the key's id; empty for texts of no known form. */
export async function countSealed(
  store: MongoStore,
  member: SealedMember,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for await (const { value } of sealedValues(store, member)) {
    for (const sealed of textsOf(value)) {
      const id = sealingKeyIdOf(sealed) ?? '';
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
  }
  return counts;
}

interface SealedDocument extends Readonly<Record<string, unknown>> {
  readonly _id: string;
}

async function* sealedValues(
  store: MongoStore,
  { collection, member }: SealedMember,
): AsyncGenerator<{ readonly id: string; readonly value: SealedValue }> {
  const documents = documentsOf<SealedDocument>(store, collection);
  const list = ({ after, limit }: PageStart<SealedDocument>) => {
    const filter = afterId(after?._id);
    return documents.list(filter, { projection: { [member]: 1 }, sort: { _id: 1 }, limit });
  };
  for await (const page of pagesOf(list, PAGE)) {
    for (const document of page) {
      const value = document[member];
      if (value !== undefined) yield { id: document._id, value: value as SealedValue };
    }
  }
}

function textsOf(value: SealedValue): readonly string[] {
  return typeof value === 'string' ? [value] : value.map(({ sealed }) => sealed);
}
