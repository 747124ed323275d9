import { DAY_MS } from '@tollgate/core';
import type { LimitKind } from '../limits/limiter';
import {
  CONTESTED_MS,
  RESERVE_ALONE,
  RESERVE_SHARED,
  SHARE_WAIT_MS,
} from '../limits/share-scripts';
import type {
  CounterView,
  ShareAnswer,
  SharedCounters,
  ShareGrant,
  ShareRequest,
} from '../limits/shared-counters';

interface Held {
  places: number;
  admissions: number;
}

interface Subject {
  readonly minute: Map<number, number>;
  readonly held: Map<string, Held>;
  day: number;
  dayCount: number;
  short: { readonly atMs: number; readonly by: string } | undefined;
}

/** Counters of several gateways in this process, which do what those in Redis do. */
export interface MemoryCounters {
  connect(gatewayId: string): SharedCounters;
  /** Until it is set again every command rejects. */
  away: boolean;
  /** Forgets everything, as a Redis does that was started anew. */
  flush(): void;
  /** Calls since the start, heartbeats apart. */
  readonly calls: number;
}

/** `gatewayTtlMs` without a heartbeat, and a gateway holds nothing any more. */
export function createMemoryCounters(now: () => number, gatewayTtlMs: number): MemoryCounters {
  const beats = new Map<string, number>();
  const subjects = new Map<string, Subject>();
  let calls = 0;

  const view = (gatewayId: string): CounterView => {
    const counterMs = now();
    const known = beats.has(gatewayId);
    for (const [id, atMs] of beats) if (atMs <= counterMs - gatewayTtlMs) beats.delete(id);
    beats.set(gatewayId, counterMs);
    return { counterMs, gateways: beats.size, known };
  };
  const counters: MemoryCounters = {
    away: false,
    flush() {
      beats.clear();
      subjects.clear();
    },
    get calls() {
      return calls;
    },
    connect(gatewayId) {
      const answer = async <Answer>(make: () => Answer): Promise<Answer> => {
        if (counters.away) throw new Error('away');
        const answered = make();
        await new Promise((resolve) => setImmediate(resolve));
        return answered;
      };
      return {
        share: (requests) =>
          answer((): ShareAnswer => {
            calls += 1;
            const seen = view(gatewayId);
            const grants = requests.map((request) => {
              const subject = subjectOf(subjects, request.id);
              for (const id of subject.held.keys()) if (!beats.has(id)) subject.held.delete(id);
              return grant(subject, request, { ...seen, gatewayId });
            });
            return { ...seen, grants };
          }),
        heartbeat: () => answer(() => view(gatewayId)),
        leave: () => answer(() => void beats.delete(gatewayId)),
        onReady: () => {},
        close: () => {},
      };
    },
  };
  return counters;
}

function subjectOf(subjects: Map<string, Subject>, id: string): Subject {
  let subject = subjects.get(id);
  if (subject === undefined) {
    subject = { minute: new Map(), held: new Map(), day: 0, dayCount: 0, short: undefined };
    subjects.set(id, subject);
  }
  return subject;
}

function grant(
  subject: Subject,
  request: ShareRequest,
  { counterMs, gateways, gatewayId }: CounterView & { readonly gatewayId: string },
): ShareGrant {
  count(subject, request, counterMs);
  const { requestsPerMinute: rpm, requestsPerDay: rpd, concurrentRequests } = request.limits;
  const others = { places: 0, admissions: 0 };
  for (const [id, held] of subject.held) {
    if (id === gatewayId) continue;
    others.places += held.places;
    others.admissions += held.admissions;
  }
  const { short } = subject;
  const contested =
    short !== undefined && short.by !== gatewayId && short.atMs > counterMs - CONTESTED_MS;
  const keepOf = (free: number): number => {
    if (contested || free === Number.POSITIVE_INFINITY) return 0;
    return Math.max(
      0,
      Math.floor(free / (gateways > 1 ? RESERVE_SHARED * gateways : RESERVE_ALONE)),
    );
  };
  const minuteCount = [...subject.minute.values()].reduce((sum, each) => sum + each, 0);

  const mine = request.admissions;
  const taken = others.admissions + mine;
  const room = Math.min(
    (rpm ?? Number.POSITIVE_INFINITY) - minuteCount - taken,
    (rpd ?? Number.POSITIVE_INFINITY) - subject.dayCount - taken,
  );
  let admissions = Math.max(0, Math.min(request.admissionsNeeded, room));
  const admissionsKeep = keepOf(room - admissions + mine);
  const isShort = admissions < request.admissionsNeeded;
  const refusal = isShort
    ? refusalOf(subject, request, counterMs, { mine: mine + admissions, others: others.admissions })
    : { refused: undefined, waitMs: 0 };
  if (!isShort) {
    const spare = Math.min(request.admissionsSpare, room - admissions, admissionsKeep - mine);
    admissions += Math.max(0, spare);
  }

  const roomOfPlaces =
    (concurrentRequests ?? Number.POSITIVE_INFINITY) - request.places - others.places;
  const places = Math.max(0, Math.min(request.placesNeeded, roomOfPlaces));
  const placesKeep = keepOf(roomOfPlaces - places + request.placesIdle);
  subject.held.set(gatewayId, {
    admissions: mine + admissions,
    places: request.places + places,
  });
  if ((isShort && others.admissions > 0) || (places < request.placesNeeded && others.places > 0)) {
    subject.short = { atMs: counterMs, by: gatewayId };
  }
  const oldest = Math.min(...subject.minute.keys());
  const minuteResetMs = subject.minute.size === 0 ? 0 : (oldest + 60) * 1000 - counterMs;
  return {
    ...refusal,
    admissions,
    admissionsKeep,
    places,
    placesKeep,
    minuteCount,
    minuteResetMs,
    dayCount: subject.dayCount,
  };
}

function count(subject: Subject, request: ShareRequest, counterMs: number): void {
  const second = Math.floor(counterMs / 1000);
  for (const [at, used] of request.used) {
    const bucket = Math.min(at, second + 1);
    subject.minute.set(bucket, (subject.minute.get(bucket) ?? 0) + used);
  }
  for (const bucket of subject.minute.keys()) {
    if (bucket <= second - 60) subject.minute.delete(bucket);
  }
  const day = Math.floor(counterMs / DAY_MS);
  if (subject.day !== day) subject.dayCount = 0;
  subject.day = day;
  if (request.day === day) subject.dayCount = Math.max(0, subject.dayCount + request.dayChange);
}

function refusalOf(
  { minute, dayCount }: Subject,
  { limits }: ShareRequest,
  counterMs: number,
  { mine, others }: { readonly mine: number; readonly others: number },
): { readonly refused: LimitKind; readonly waitMs: number } {
  const { requestsPerMinute: rpm = 0, requestsPerDay: rpd } = limits;
  if (rpd !== undefined && dayCount + mine + others >= rpd) {
    const untilMidnightMs = DAY_MS - (counterMs % DAY_MS);
    return { refused: 'rpd', waitMs: dayCount + mine >= rpd ? untilMidnightMs : SHARE_WAIT_MS };
  }
  let left = [...minute.values()].reduce((sum, each) => sum + each, 0);
  if (left + mine < rpm) return { refused: 'rpm', waitMs: SHARE_WAIT_MS };
  for (const [bucket, used] of [...minute].sort(([one], [two]) => one - two)) {
    left -= used;
    const waitMs = Math.max(1, (bucket + 60) * 1000 - counterMs);
    if (left <= Math.max(0, rpm - 1 - mine)) return { refused: 'rpm', waitMs };
  }
  return { refused: 'rpm', waitMs: (Math.floor(counterMs / 1000) + 60) * 1000 - counterMs };
}
