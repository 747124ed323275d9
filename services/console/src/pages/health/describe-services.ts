import type { Alert } from '../../api/schemas';
import type { StatusLabel } from '../../components/status';
import { formatAgo } from '../../format/time';

/** What the gateway's readiness and the alerts said, and how long ago. */
interface Said {
  /** Undefined before there was an answer. */
  readonly isReady: boolean | undefined;
  readonly alerts: readonly Pick<Alert, 'severity' | 'subject' | 'title'>[] | undefined;
  /** When they were answered last, where that is no answer of now. */
  readonly staleSinceMs: number | undefined;
  /** Nothing answered the last time that it was asked. */
  readonly isAway: boolean;
}

/** Whether all services answer, as the gateway's readiness and the alerts tell it. */
export function describeServices(
  { isReady, alerts, staleSinceMs, isAway }: Said,
  nowMs: number,
): StatusLabel & { readonly note: string } {
  // What was said last is no answer of now.
  const last = staleSinceMs === undefined ? undefined : new Date(staleSinceMs).toISOString();
  const note = last === undefined ? 'Nothing answers' : `Last answer ${formatAgo(last, nowMs)}`;
  if (isAway) return { tone: 'bad', label: 'Not reached', note };
  if (last !== undefined) return { tone: 'idle', label: 'Not known now', note };
  if (isReady === false) {
    return { tone: 'bad', label: 'Not ready', note: 'This gateway stops, or misses a service' };
  }
  if (alerts === undefined) return { tone: 'idle', label: 'Asked', note: '' };
  const wrong = alerts.filter(({ subject }) => subject.type === 'service');
  const isCritical = wrong.some(({ severity }) => severity === 'critical');
  if (wrong.length === 0) {
    return { tone: 'good', label: 'All answer', note: 'The gateway and each behind it' };
  }
  return {
    tone: isCritical ? 'bad' : 'warn',
    label: isCritical ? 'Not all answer' : 'Some are hurt',
    note: wrong.map(({ title }) => title).join('; '),
  };
}
