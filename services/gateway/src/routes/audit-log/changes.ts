import type { identityV1 } from '@tollgate/protos';
import { z } from 'zod';
import { toActor } from '../asking/actor';
import { readUsers } from '../asking/names';
import type { PrincipalContext, Services } from '../operation';
import { isoTime, textOrNull } from '../payloads/values';

export type Entry = identityV1.AuditEntry__Output;

/** When something was changed, and by whom: an email, or the id where that is all that is known. */
export const changeSchema = z.object({ at: isoTime, by: z.string().nullable() });

/** The newest entries of the time that are looked through. */
const ENTRIES_MAX = 20;
/** Changes that have to be read whole before it is known what they changed. */
const READ_MAX = 5;

interface SoughtWrites {
  readonly resourceId: string;
  readonly operations: RegExp;
  /** ISO-8601; empty is no bound. */
  readonly start?: string;
  readonly end?: string;
  readonly oldestFirst?: boolean;
}

/**
 * A few of the writes of a resource that were made, with what they changed. They are found among the
 * newest `ENTRIES_MAX` entries between `start` and `end`: the newest of these first, or with
 * `oldestFirst` the oldest of these.
 */
export async function* readWrites(
  { end = '', oldestFirst = false, operations, resourceId, start = '' }: SoughtWrites,
  { principal }: PrincipalContext,
  { identity }: Services,
): AsyncGenerator<Entry> {
  const actor = toActor(principal);
  const filter = { actor, limit: ENTRIES_MAX, resourceId, start, end };
  const { entries } = await identity.listAuditEntries(filter);
  const made = entries.filter(
    ({ operation, outcome }) => outcome === 'AUDIT_OUTCOME_SUCCEEDED' && operations.test(operation),
  );
  for (const { id } of (oldestFirst ? made.reverse() : made).slice(0, READ_MAX)) {
    const { entry } = await identity.getAuditEntry({ actor, id });
    if (entry !== null) yield entry;
  }
}

const WRITES_ACCOUNT = /^(?:PATCH|PUT) /;

/** Who gave an account the discount that it has, or had at the end of a time. */
export async function findDiscountSet(
  { accountId, end = '' }: { readonly accountId: string; readonly end?: string },
  viewer: PrincipalContext,
  services: Services,
): Promise<z.output<typeof changeSchema> | null> {
  const sought = { resourceId: accountId, operations: WRITES_ACCOUNT, end };
  for await (const entry of readWrites(sought, viewer, services)) {
    if (!didSetDiscount(entry)) continue;
    return { at: entry.at, by: await readName(entry, services) };
  }
  return null;
}

/** Writes of other terms may have sent the same discount again. */
function didSetDiscount({ afterJson, beforeJson, requestJson }: Entry): boolean {
  const [before, after] = [discountIn(beforeJson), discountIn(afterJson)];
  if (before === undefined) return discountIn(requestJson) !== undefined;
  return after !== undefined && after !== before;
}

function discountIn(json: string): unknown {
  const { overrides } = fieldsIn(json) as { readonly overrides?: { readonly discount?: unknown } };
  return overrides?.discount;
}

/** The fields of a request or a resource as an entry has it; none where it was not kept. */
export function fieldsIn(json: string): Readonly<Record<string, unknown>> {
  return json === '' ? {} : (JSON.parse(json) as Readonly<Record<string, unknown>>);
}

/** Who is gone since goes by the id. */
export async function readName(
  { actorKeyId, actorUserId }: Entry,
  services: Pick<Services, 'identity'>,
): Promise<string | null> {
  const users = await readUsers([actorUserId], services);
  return users.get(actorUserId)?.email ?? textOrNull(actorUserId) ?? textOrNull(actorKeyId);
}
