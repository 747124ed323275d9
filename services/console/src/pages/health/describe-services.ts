import type { Alert } from '../../api/schemas';
import type { StatusLabel } from '../../components/status';

/** Whether all services answer, as the gateway's readiness and the alerts tell it. */
export function describeServices(
  isReady: boolean | undefined,
  alerts: readonly Pick<Alert, 'severity' | 'subject' | 'title'>[] | undefined,
): StatusLabel & { readonly note: string } {
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
