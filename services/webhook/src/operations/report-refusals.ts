import { type Clock, createId, toIsoTime } from '@tollgate/core';
import { eachAtOnce, NOTHING_FOUND } from '@tollgate/jobs';
import type { EndpointStore, RefusalStore } from '../domain/ports';
import { type RefusalSpell, statusOf, timesOf } from '../domain/refusals';
import type { Denial } from '../domain/sustained-denials';
import type { WebhookEvent } from '../domain/webhook-event';

export interface ReportRefusalsOptions {
  readonly refusals: RefusalStore;
  readonly endpoints: Pick<EndpointStore, 'subscribers'>;
  readonly clock: Clock;
  announce(event: WebhookEvent): Promise<void>;
}

/**
 * Tells accounts that subscribe to it when requests begin to be refused, once for each status
 * whatever the number of gateways, keys and reasons: the spell is one document, which the first
 * refusal inserts. What was refused longer ago than a spell lasts without refusals is old news.
 */
export async function reportRefusals(
  options: ReportRefusalsOptions,
  denials: readonly Denial[],
): Promise<void> {
  const now = options.clock.now();
  const groups = new Map<string, Denial[]>();
  for (const denial of denials) {
    if (timesOf([denial]).overAtMs < now) continue;
    const group = `${denial.accountId} ${statusOf(denial.reason)}`;
    groups.set(group, [...(groups.get(group) ?? []), denial]);
  }
  for (const [first, ...more] of groups.values()) {
    if (first === undefined || !(await isWanted(options, first.accountId))) continue;
    await reportRefusal(options, [first, ...more], now);
  }
}

async function isWanted({ endpoints }: ReportRefusalsOptions, accountId: string): Promise<boolean> {
  const audience = { kind: 'account', accountId } as const;
  return (await endpoints.subscribers(audience, 'requests.refused')).length > 0;
}

async function reportRefusal(
  options: ReportRefusalsOptions,
  denials: readonly [Denial, ...Denial[]],
  now: number,
): Promise<void> {
  const { refusals } = options;
  const [{ accountId, reason }] = denials;
  const times = timesOf(denials);
  const place = { accountId, status: statusOf(reason) };
  const known = await refusals.find(place);
  if (known !== undefined && (await refusals.extend(place, times, now))) {
    if (!known.told) await tellBegin(options, known);
    return;
  }
  // It is over, though nobody has told its end yet: that comes before the next one begins.
  if (known !== undefined) await end(options, known);
  const spell: RefusalSpell = {
    ...{ ...place, ...times, reason, told: false, ending: false },
    ...{ beganEventId: createId('event'), endedEventId: createId('event') },
  };
  // Somebody else inserted it at this moment, and tells of it.
  if (await refusals.insert(spell)) await tellBegin(options, spell);
}

/** A crash before the mark tells it again, under the same id. */
async function tellBegin(options: ReportRefusalsOptions, spell: RefusalSpell): Promise<void> {
  const { beganEventId, beganAtMs } = spell;
  await options.announce(toEvent(spell, beganEventId, beganAtMs, null));
  await options.refusals.markTold(spell);
}

/** Spells that are read at once, and of those the ones that are ended beside each other. */
const ENDED_PAGE = 100;
const ENDED_AT_ONCE = 8;

/**
 * Tells of all spells that are over, those that a process left half told among them. A failure is
 * rejected with: whatever is left is over in the next round as well.
 */
export async function endRefusals(
  options: ReportRefusalsOptions,
  signal: AbortSignal,
): Promise<unknown> {
  const { refusals, clock } = options;
  const atOnce = { atOnceMax: ENDED_AT_ONCE, signal };
  let found = 0;
  let page: readonly RefusalSpell[];
  do {
    page = await refusals.listOver(clock.now(), ENDED_PAGE);
    found += page.length;
    await eachAtOnce(page, atOnce, (spell) => end(options, spell));
  } while (page.length === ENDED_PAGE && !signal.aborted);
  return found === 0 ? NOTHING_FOUND : undefined;
}

/** Marks the spell before its end is told, so that no refusal can be added to it any more. */
async function end(options: ReportRefusalsOptions, spell: RefusalSpell): Promise<void> {
  if (!spell.ending && !(await options.refusals.beginEnd(spell))) return;
  const { endedEventId, lastAtMs } = spell;
  if (!spell.told) await tellBegin(options, spell);
  await options.announce(toEvent(spell, endedEventId, lastAtMs, toIsoTime(lastAtMs)));
  await options.refusals.remove(spell);
}

function toEvent(
  { accountId, status, reason, beganAtMs }: RefusalSpell,
  eventId: string,
  atMs: number,
  endedAt: string | null,
): WebhookEvent {
  return {
    ...{ key: eventId, eventId, type: 'requests.refused', atMs },
    audience: { kind: 'account', accountId },
    data: {
      ...{ account_id: accountId, status, reason, state: endedAt === null ? 'began' : 'ended' },
      ...{ began_at: toIsoTime(beganAtMs), ended_at: endedAt },
    },
  };
}
