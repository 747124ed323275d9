import { LIVE_MS } from '../../api/queries';
import type { Alert } from '../../api/schemas';
import type { StatusLabel } from '../../components/status';
import { formatAgo } from '../../format/time';
import { toneOfAlerts } from '../alerts/describe-alerts';

/** The last answers of the gateway's readiness and of the alerts, and their age. */
interface LastAnswers {
  /** Undefined before there was an answer. */
  readonly isReady: boolean | undefined;
  readonly alerts: readonly Pick<Alert, 'severity' | 'subject' | 'title'>[] | undefined;
  /** The time of the last answers, where they are not of now. */
  readonly staleSinceMs: number | undefined;
  /** Whether the last request was left unanswered. */
  readonly isAway: boolean;
}

/** Whether all services answer, as the gateway's readiness and the alerts tell it. */
export function describeServices(
  { isReady, alerts, staleSinceMs, isAway }: LastAnswers,
  nowMs: number,
): StatusLabel & { readonly note: string } {
  // The last answer is not of now.
  const last = staleSinceMs === undefined ? undefined : new Date(staleSinceMs).toISOString();
  const note = last === undefined ? 'Nothing answers' : `Last answer ${formatAgo(last, nowMs)}`;
  if (isAway) return { tone: 'bad', label: 'Not reached', note };
  if (last !== undefined) return { tone: 'idle', label: 'Not known now', note };
  if (isReady === false) {
    return { tone: 'bad', label: 'Not ready', note: 'This gateway stops, or misses a service' };
  }
  if (alerts === undefined) return { tone: 'idle', label: 'Unknown', note: '' };
  const wrong = alerts.filter(({ subject }) => subject.type === 'service');
  if (wrong.length === 0) {
    return { tone: 'good', label: 'All answer', note: 'The gateway and each behind it' };
  }
  const tone = toneOfAlerts(wrong);
  return {
    tone,
    label: tone === 'bad' ? 'Not all answer' : 'Some are hurt',
    note: wrong.map(({ title }) => title).join('; '),
  };
}

/** The state of a query: its data, and since when it has them. */
interface Answered {
  readonly data: unknown;
  readonly error: Error | null;
  /** 0 before the first answer. */
  readonly dataUpdatedAt: number;
}

/** The age from which an answer is not of now: it is asked for again every few seconds. */
const OLD_MS = 3 * LIVE_MS;

/**
 * The time of the oldest answer that is not of now: one that is kept while the next fails or does not
 * come. Undefined while all are of now, and before anything was answered.
 */
export function staleSince(queries: readonly Answered[], nowMs: number): number | undefined {
  const stale = queries
    .filter(({ data }) => data !== undefined)
    .filter(({ error, dataUpdatedAt }) => error !== null || nowMs - dataUpdatedAt > OLD_MS)
    .map(({ dataUpdatedAt }) => dataUpdatedAt);
  return stale.length === 0 ? undefined : Math.min(...stale);
}
