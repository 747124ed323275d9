import { toIsoTime } from '@tollgate/core';
import type { identityV1 } from '@tollgate/protos';
import { z } from 'zod';
import { toActor } from '../actor';
import type { OperationInput, OperationSchema, Services } from '../operation';
import { isoTime, textOrNull } from '../values';

/** A change that the audit log tells of; `by` as below. */
export const changeSchema = z.object({ at: isoTime, by: z.string().nullable() });

/** How what refuses a request, now or then, came to be off, as the audit log has it. */
export const switchedOffSchema = z.object({
  type: z.enum(['account', 'user', 'key', 'channel']).meta({
    description: 'A user is who made the API key, or whose session it was.',
  }),
  id: z.string(),
  name: z.string().nullable(),
  change: z.enum(['suspended', 'disabled', 'revoked', 'rotated', 'removed']).meta({
    description:
      'A key is `rotated` where the secret that came was none of its own; of one that went with its ' +
      'person, that person was `removed` from the account.',
  }),
  at: isoTime,
  by: z
    .string()
    .nullable()
    .meta({
      description:
        'The email of who did it, or the id where that is all that is known; `system` of a channel ' +
        'that disabled itself, and of one that came back by itself.',
    }),
  reason: z.string().nullable().meta({ description: 'Why a channel disabled itself.' }),
  audit_entry_id: z.string().meta({ description: 'Of GET /v1/admin/audit-log/{id}.' }),
  on_again: changeSchema.nullable().meta({
    description:
      'Of what was off when the request was refused, and is on now: who switched it on, and when. ' +
      'Null of what is off.',
  }),
});

type SwitchedOff = z.output<typeof switchedOffSchema>;

export type Off = Pick<SwitchedOff, 'change' | 'id' | 'name' | 'type'> & {
  /** Of what is on now and may have been off: when. */
  readonly thenMs?: number;
};

type Input = Pick<OperationInput<OperationSchema>, 'context' | 'principal'>;
type Entry = identityV1.AuditEntry__Output;

/** Of what is off, so much is looked up: one story asks identity a few times and not without end. */
const LOOKED_UP_MAX = 4;
const LISTED_MAX = 20;
/** Changes that have to be read whole before it is known what they changed. */
const READ_MAX = 5;

/** Who switched each of these off, and when; without those that the log does not tell of. */
export async function findSwitchedOff(
  off: readonly Off[],
  input: Input,
  services: Services,
): Promise<readonly SwitchedOff[]> {
  const found = off.slice(0, LOOKED_UP_MAX).map((one) => findOne(one, input, services));
  return (await Promise.all(found)).flatMap((one) => (one === undefined ? [] : [one]));
}

/** A gateway may refuse for so long what is on already: it hears of that a moment later. */
const HEARD_MS = 5_000;

async function findOne(
  off: Off,
  input: Input,
  services: Services,
): Promise<SwitchedOff | undefined> {
  const { change, id, thenMs, type } = off;
  const end = thenMs === undefined ? '' : toIsoTime(thenMs + 1);
  const sought = { resourceId: id, operations: OPERATIONS[change], end };
  for await (const entry of readWrites(sought, input, services)) {
    if (didSwitchOff(entry, off)) {
      const { afterJson, at, beforeJson, id: audit_entry_id } = entry;
      const name = off.name ?? textIn(beforeJson, 'name');
      const by = await readName(entry, input, services);
      const on_again = thenMs === undefined ? null : await findOnAgain(off, at, input, services);
      const reason = entry.operation === SELF_DISABLED ? textIn(afterJson, 'reason') : null;
      return { type, id, name, change, at, by, reason, audit_entry_id, on_again };
    }
    const wasOn = thenMs !== undefined && thenMs - Date.parse(entry.at) > HEARD_MS;
    if (wasOn && didSwitchOn(entry)) return undefined;
  }
  return change === 'revoked' ? findRemoval(id, input, services) : undefined;
}

/** A key goes with the person who made it, and has no entry of that in the log. */
async function findRemoval(
  keyId: string,
  input: Input,
  services: Services,
): Promise<SwitchedOff | undefined> {
  const making = { resourceId: keyId, operations: MAKES_KEY, oldestFirst: true };
  for await (const { actorUserId, at: start } of readWrites(making, input, services)) {
    const removal = { resourceId: actorUserId, operations: OPERATIONS.removed, start };
    for await (const entry of readWrites(removal, input, services)) {
      const { at, beforeJson, id: audit_entry_id } = entry;
      const person = { type: 'user', id: actorUserId, name: textIn(beforeJson, 'email') } as const;
      const by = await readName(entry, input, services);
      const written = { reason: null, audit_entry_id, on_again: null };
      return { ...person, change: 'removed', at, by, ...written };
    }
  }
  return undefined;
}

async function findOnAgain(
  { change, id }: Off,
  start: string,
  input: Input,
  services: Services,
): Promise<SwitchedOff['on_again']> {
  const sought = { resourceId: id, operations: OPERATIONS[change], start, oldestFirst: true };
  for await (const entry of readWrites(sought, input, services)) {
    if (didSwitchOn(entry)) return { at: entry.at, by: await readName(entry, input, services) };
  }
  return null;
}

/** Who gave an account the discount that it has, or had at the end of a time. */
export async function findDiscountSet(
  { accountId, end = '' }: { readonly accountId: string; readonly end?: string },
  input: Input,
  services: Services,
): Promise<z.output<typeof changeSchema> | null> {
  const sought = { resourceId: accountId, operations: OPERATIONS.suspended, end };
  for await (const entry of readWrites(sought, input, services)) {
    if (!didSetDiscount(entry)) continue;
    return { at: entry.at, by: await readName(entry, input, services) };
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
  const { overrides } = parse(json) as { readonly overrides?: { readonly discount?: unknown } };
  return overrides?.discount;
}

interface SoughtWrites {
  readonly resourceId: string;
  readonly operations: RegExp;
  /** ISO-8601; empty is no bound. */
  readonly start?: string;
  readonly end?: string;
  readonly oldestFirst?: boolean;
}

/** Writes of a resource that were made, with what they changed: the newest first, and a few of them. */
async function* readWrites(
  { end = '', oldestFirst = false, operations, resourceId, start = '' }: SoughtWrites,
  { context, principal }: Input,
  { identity }: Services,
): AsyncGenerator<Entry> {
  const actor = toActor(principal);
  const filter = { actor, limit: LISTED_MAX, resourceId, start, end };
  const { entries } = await identity.listAuditEntries(filter, context.rpc);
  const made = entries.filter(
    ({ operation, outcome }) => outcome === 'AUDIT_OUTCOME_SUCCEEDED' && operations.test(operation),
  );
  for (const { id } of (oldestFirst ? made.reverse() : made).slice(0, READ_MAX)) {
    const { entry } = await identity.getAuditEntry({ actor, id }, context.rpc);
    if (entry !== null) yield entry;
  }
}

/** What a service notes of what it did by itself. */
const SELF_DISABLED = 'channel.disabled';
const RECOVERED = 'channel.recovered';

/** Writes that may have made the change, or its contrary. */
const OPERATIONS: Readonly<Record<Off['change'], RegExp>> = {
  revoked: /^DELETE /,
  disabled: /^(?:PATCH|PUT) |\/(?:disable|enable)$|^channel\.(?:disabled|recovered)$/,
  suspended: /^(?:PATCH|PUT) /,
  rotated: /^POST \/v1\/keys\/\{id\}\/rotate$/,
  removed: /^DELETE \/v1\/account\/members\//,
};

const MAKES_KEY = /^POST \/v1\/keys$/;

/** What disabled itself counts only of what is on now: what is off still says so itself. */
function didSwitchOff({ operation, requestJson }: Entry, { change, thenMs }: Off): boolean {
  if (operation === SELF_DISABLED) return thenMs !== undefined;
  if (change === 'revoked' || change === 'rotated') return true;
  if (operation.endsWith('/disable')) return true;
  return parse(requestJson).status === change;
}

function didSwitchOn({ operation, requestJson }: Entry): boolean {
  const { status } = parse(requestJson);
  const isSwitchedOn = operation.endsWith('/enable') || operation === RECOVERED;
  return isSwitchedOn || status === 'active' || status === 'enabled';
}

function textIn(json: string, member: 'email' | 'name' | 'reason'): string | null {
  const { [member]: text } = parse(json);
  return typeof text === 'string' ? text : null;
}

function parse(json: string): Readonly<Record<string, unknown>> {
  return json === '' ? {} : (JSON.parse(json) as Readonly<Record<string, unknown>>);
}

/** Who is gone since goes by the id. */
export async function readName(
  { actorKeyId, actorUserId }: Entry,
  { context }: Input,
  { identity }: Services,
): Promise<string | null> {
  const id = textOrNull(actorUserId) ?? textOrNull(actorKeyId);
  if (!actorUserId.startsWith('usr_')) return id;
  const read = identity.getUser({ userId: actorUserId }, context.rpc);
  return read.then(
    ({ user }) => user?.email ?? id,
    () => id,
  );
}
