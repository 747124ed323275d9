import { toIsoTime } from '@tollgate/core';
import { z } from 'zod';
import type { PrincipalContext, Services } from '../operation';
import { isoTime } from '../values';
import { changeSchema, type Entry, fieldsIn, readName, readWrites } from './changes';

/**
 * Who switched off the account, user, key or channel for which a request is refused, and when, as
 * the audit log tells.
 */
export const switchedOffSchema = z.object({
  type: z
    .enum(['account', 'user', 'key', 'channel'])
    .describe('A user is who made the API key, or whose session it was.'),
  id: z.string(),
  name: z.string().nullable(),
  change: z
    .enum(['suspended', 'disabled', 'revoked', 'rotated', 'removed'])
    .describe(
      'A key is `rotated` where the secret that came was none of its own; of one that went with its ' +
        'person, that person was `removed` from the account.',
    ),
  at: isoTime,
  by: z
    .string()
    .nullable()
    .describe(
      'The email of who did it, or the id where that is all that is known; `system` of a channel ' +
        'that disabled itself, and of one that came back by itself.',
    ),
  reason: z.string().nullable().describe('Why a channel disabled itself.'),
  audit_entry_id: z.string().describe('Of GET /v1/admin/audit-log/{id}.'),
  on_again: changeSchema
    .nullable()
    .describe(
      'Of what was off when the request was refused, and is on now: who switched it on, and when. ' +
        'Null of what is off.',
    ),
});

type SwitchedOff = z.output<typeof switchedOffSchema>;

export type Off = Pick<SwitchedOff, 'change' | 'id' | 'name' | 'type'> & {
  /**
   * The time of the refusal. Present only for what is on now, and may have been off at that time.
   */
  readonly offAtMs?: number;
};

/** How many that are off are looked up: one story asks identity a few times and not without end. */
const LOOKED_UP_MAX = 4;

/** Who switched each of these off, and when; without those that the log does not tell of. */
export async function findSwitchedOff(
  off: readonly Off[],
  viewer: PrincipalContext,
  services: Services,
): Promise<readonly SwitchedOff[]> {
  const found = off.slice(0, LOOKED_UP_MAX).map((one) => findOne(one, viewer, services));
  return (await Promise.all(found)).flatMap((one) => (one === undefined ? [] : [one]));
}

/** A gateway may refuse for so long what is on already: it hears of that a moment later. */
const HEARD_MS = 5_000;

async function findOne(
  off: Off,
  viewer: PrincipalContext,
  services: Services,
): Promise<SwitchedOff | undefined> {
  const { change, id, offAtMs, type } = off;
  const end = offAtMs === undefined ? '' : toIsoTime(offAtMs + 1);
  const sought = { resourceId: id, operations: OPERATIONS[change], end };
  for await (const entry of readWrites(sought, viewer, services)) {
    if (didSwitchOff(entry, off)) {
      const { afterJson, at, beforeJson, id: audit_entry_id } = entry;
      const name = off.name ?? textIn(beforeJson, 'name');
      const by = await readName(entry, services);
      const on_again = offAtMs === undefined ? null : await findOnAgain(off, at, viewer, services);
      const reason = entry.operation === SELF_DISABLED ? textIn(afterJson, 'reason') : null;
      return { type, id, name, change, at, by, reason, audit_entry_id, on_again };
    }
    const wasOn = offAtMs !== undefined && offAtMs - Date.parse(entry.at) > HEARD_MS;
    if (wasOn && didSwitchOn(entry)) return undefined;
  }
  return change === 'revoked' ? findRemoval(id, viewer, services) : undefined;
}

/** A key goes with the person who made it, and has no entry of that in the log. */
async function findRemoval(
  keyId: string,
  viewer: PrincipalContext,
  services: Services,
): Promise<SwitchedOff | undefined> {
  const making = { resourceId: keyId, operations: MAKES_KEY, oldestFirst: true };
  for await (const { actorUserId, at: start } of readWrites(making, viewer, services)) {
    const removal = { resourceId: actorUserId, operations: OPERATIONS.removed, start };
    for await (const entry of readWrites(removal, viewer, services)) {
      const { at, beforeJson, id: audit_entry_id } = entry;
      const person = { type: 'user', id: actorUserId, name: textIn(beforeJson, 'email') } as const;
      const by = await readName(entry, services);
      const written = { reason: null, audit_entry_id, on_again: null };
      return { ...person, change: 'removed', at, by, ...written };
    }
  }
  return undefined;
}

async function findOnAgain(
  { change, id }: Off,
  start: string,
  viewer: PrincipalContext,
  services: Services,
): Promise<SwitchedOff['on_again']> {
  const sought = { resourceId: id, operations: OPERATIONS[change], start, oldestFirst: true };
  for await (const entry of readWrites(sought, viewer, services)) {
    if (didSwitchOn(entry)) return { at: entry.at, by: await readName(entry, services) };
  }
  return null;
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

/** An automatic disabling counts only where the channel is on again: one that is off says so itself. */
function didSwitchOff({ operation, requestJson }: Entry, { change, offAtMs }: Off): boolean {
  if (operation === SELF_DISABLED) return offAtMs !== undefined;
  if (change === 'revoked' || change === 'rotated') return true;
  if (operation.endsWith('/disable')) return true;
  return fieldsIn(requestJson).status === change;
}

function didSwitchOn({ operation, requestJson }: Entry): boolean {
  const { status } = fieldsIn(requestJson);
  const isSwitchedOn = operation.endsWith('/enable') || operation === RECOVERED;
  return isSwitchedOn || status === 'active' || status === 'enabled';
}

function textIn(json: string, field: 'email' | 'name' | 'reason'): string | null {
  const { [field]: text } = fieldsIn(json);
  return typeof text === 'string' ? text : null;
}
