import { toIsoTime } from '@tollgate/core';
import { z } from 'zod';
import { orUndefined } from '../asking/partial-answer';
import type { PrincipalContext, Services } from '../operation';
import { isoTime } from '../payloads/values';
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
        'that was disabled automatically, and of one that came back by itself.',
    ),
  reason: z.string().nullable().describe('Why a channel was disabled automatically.'),
  audit_entry_id: z.string().describe('Of GET /v1/admin/audit-log/{id}.'),
  on_again: changeSchema
    .nullable()
    .describe(
      'Of what was off when the request was refused, and is on now: who switched it on, and when. ' +
        'Null of what is off.',
    ),
});

type SwitchedOff = z.output<typeof switchedOffSchema>;

/** Who switched one thing off is asked for a thing that is off, or that was when a request came. */
export interface SwitchQuestion extends Pick<SwitchedOff, 'change' | 'id' | 'name' | 'type'> {
  /** `now`: it is off. A refusal: it is on now, and may have been off when that was made. */
  readonly when: 'now' | { readonly refusedAtMs: number };
}

export function switchQuestion(
  type: SwitchQuestion['type'],
  { id, name }: { readonly id: string; readonly name: string | null },
  change: SwitchQuestion['change'],
  when: SwitchQuestion['when'] = 'now',
): SwitchQuestion {
  return { type, id, name, change, when };
}

/** How many that are off are looked up: one story asks identity a few times and not without end. */
const LOOKED_UP_MAX = 4;

/** Who switched each of these off, and when; without those that the log does not tell of. */
export async function findSwitchedOff(
  questions: readonly SwitchQuestion[],
  viewer: PrincipalContext,
  services: Services,
): Promise<readonly SwitchedOff[]> {
  const found = questions.slice(0, LOOKED_UP_MAX).map((one) => findOne(one, viewer, services));
  return (await Promise.all(found)).flatMap((one) => (one === undefined ? [] : [one]));
}

/** The same of one; null where there is no question, and where the log cannot be read now. */
export async function readSwitchedOff(
  question: SwitchQuestion | false,
  viewer: PrincipalContext,
  services: Services,
): Promise<SwitchedOff | null> {
  if (question === false) return null;
  return (await orUndefined(() => findOne(question, viewer, services))) ?? null;
}

/** A gateway may refuse for so long what is on already: it hears of that a moment later. */
const HEARD_MS = 5_000;

async function findOne(
  question: SwitchQuestion,
  viewer: PrincipalContext,
  services: Services,
): Promise<SwitchedOff | undefined> {
  const { change, id, type, when } = question;
  const end = when === 'now' ? '' : toIsoTime(when.refusedAtMs + 1);
  const sought = { resourceId: id, operations: OPERATIONS[change], end };
  for await (const entry of readWrites(sought, viewer, services)) {
    if (didSwitchOff(entry, question)) {
      const { afterJson, at, beforeJson, id: audit_entry_id } = entry;
      const name = question.name ?? textIn(beforeJson, 'name');
      const by = await readName(entry, services);
      const on_again = when === 'now' ? null : await findOnAgain(question, at, viewer, services);
      const reason = entry.operation === SELF_DISABLED ? textIn(afterJson, 'reason') : null;
      return { type, id, name, change, at, by, reason, audit_entry_id, on_again };
    }
    const wasOn = when !== 'now' && when.refusedAtMs - Date.parse(entry.at) > HEARD_MS;
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
  { change, id }: SwitchQuestion,
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
const OPERATIONS: Readonly<Record<SwitchQuestion['change'], RegExp>> = {
  revoked: /^DELETE /,
  disabled: /^(?:PATCH|PUT) |\/(?:disable|enable)$|^channel\.(?:disabled|recovered)$/,
  suspended: /^(?:PATCH|PUT) /,
  rotated: /^POST \/v1\/keys\/\{id\}\/rotate$/,
  removed: /^DELETE \/v1\/account\/members\//,
};

const MAKES_KEY = /^POST \/v1\/keys$/;

/** An automatic disabling counts only where the channel is on again: one that is off says so itself. */
function didSwitchOff(
  { operation, requestJson }: Entry,
  { change, when }: SwitchQuestion,
): boolean {
  if (operation === SELF_DISABLED) return when !== 'now';
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
