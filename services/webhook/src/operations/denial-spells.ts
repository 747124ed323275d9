import { type Clock, createId, toIsoTime } from '@tollgate/core';
import { type DenialCount, deniedStatusOf } from '../domain/denial';
import { type DenialSpell, spellTimesOf } from '../domain/denial-spell';
import type { DenialSpellStore, EndpointStore } from '../domain/ports';
import type { WebhookEvent } from '../domain/webhook-event';
import { isSubscribed } from './enqueue-event';

export interface DenialSpellsOptions {
  readonly denialSpells: DenialSpellStore;
  readonly endpoints: Pick<EndpointStore, 'subscribers'>;
  readonly clock: Clock;
  enqueue(event: WebhookEvent): Promise<void>;
}

/**
 * Tells accounts that subscribe to it when requests begin to be denied, once for each status
 * whatever the number of gateways, keys and reasons: the spell is one document, which the first
 * denial inserts. What was denied longer ago than a spell lasts without denials is old news.
 */
export async function reportDenialSpells(
  options: DenialSpellsOptions,
  denials: readonly DenialCount[],
): Promise<void> {
  const now = options.clock.now();
  const recent = denials.filter((denial) => spellTimesOf([denial]).overAtMs >= now);
  const groups = Map.groupBy(
    recent,
    ({ accountId, reason }) => `${accountId} ${deniedStatusOf(reason)}`,
  );
  for (const [first, ...more] of groups.values()) {
    if (first === undefined) continue;
    if (!(await isSubscribed(options, first.accountId, 'requests.refused'))) continue;
    await beginOrExtend(options, [first, ...more], now);
  }
}

async function beginOrExtend(
  options: DenialSpellsOptions,
  denials: readonly [DenialCount, ...DenialCount[]],
  now: number,
): Promise<void> {
  const { denialSpells } = options;
  const [{ accountId, reason }] = denials;
  const times = spellTimesOf(denials);
  const place = { accountId, status: deniedStatusOf(reason) };
  const known = await denialSpells.find(place);
  if (known !== undefined && (await denialSpells.extend(place, times, now))) {
    if (!known.told) await tellBegin(options, known);
    return;
  }
  // It is over, though nobody has told its end yet: that comes before the next one begins.
  if (known !== undefined) await endSpell(options, known);
  const spell: DenialSpell = {
    ...place,
    ...times,
    reason,
    told: false,
    ending: false,
    beganEventId: createId('event'),
    endedEventId: createId('event'),
  };
  // Somebody else inserted it at this moment, and tells of it.
  if (await denialSpells.insert(spell)) await tellBegin(options, spell);
}

/** A crash before the mark tells it again, under the same id. */
async function tellBegin(options: DenialSpellsOptions, spell: DenialSpell): Promise<void> {
  const { beganEventId, beganAtMs } = spell;
  await options.enqueue(toEvent(spell, beganEventId, beganAtMs, null));
  await options.denialSpells.markTold(spell);
}

/** Marks the spell before its end is told, so that no denial can be added to it any more. */
export async function endSpell(options: DenialSpellsOptions, spell: DenialSpell): Promise<void> {
  if (!spell.ending && !(await options.denialSpells.beginEnd(spell))) return;
  const { endedEventId, lastAtMs } = spell;
  if (!spell.told) await tellBegin(options, spell);
  await options.enqueue(toEvent(spell, endedEventId, lastAtMs, toIsoTime(lastAtMs)));
  await options.denialSpells.remove(spell);
}

function toEvent(
  { accountId, status, reason, beganAtMs }: DenialSpell,
  eventId: string,
  atMs: number,
  endedAt: string | null,
): WebhookEvent {
  return {
    key: eventId,
    eventId,
    type: 'requests.refused',
    atMs,
    audience: { kind: 'account', accountId },
    data: {
      account_id: accountId,
      status,
      reason,
      state: endedAt === null ? 'began' : 'ended',
      began_at: toIsoTime(beganAtMs),
      ended_at: endedAt,
    },
  };
}
