import type { Alert } from '../../api/schemas';
import type { Tone } from '../../components/status';
import { formatNumberOf } from '../../format/quantity';

/** Below these counts nothing is judged, as the rules have them that the gateway applies. */
export const LEAST_COUNTS =
  'Of few requests nothing is judged: it takes 20 in this hour and the one before to tell that they ' +
  'fail, 100 of an account refused by a limit to tell that, and 20 answers of a channel to tell ' +
  'that it is slow.';

/** Where an alert is mended. */
interface AlertLink {
  readonly label: string;
  readonly href: string;
}

const LINKS: Readonly<Record<Alert['subject']['type'], AlertLink>> = {
  service: { label: 'Open health', href: '/operator/health' },
  money: { label: 'Open the audit', href: '/operator/health' },
  channel: { label: 'Open the channel', href: '/operator/channels' },
  model: { label: 'Open the model', href: '/operator/models' },
  requests: { label: 'Open what failed', href: '/operator/requests?status=failed' },
  account: { label: 'Open the account', href: '/operator/accounts' },
  webhook: { label: 'Open the account', href: '/operator/accounts' },
};

/** Subjects whose page has a drawer for each of them. */
const OPENED: readonly Alert['subject']['type'][] = ['channel', 'model', 'account', 'webhook'];

/** The page where an alert is mended, with the drawer open where the alert is about one thing. */
export function linkOf({
  subject,
  account_id,
  since,
}: Pick<Alert, 'subject' | 'account_id' | 'since'>): AlertLink {
  const { label, href } = LINKS[subject.type];
  const id = account_id ?? subject.id;
  if (subject.type === 'requests' && since !== null) {
    // The requests of the alert, not of all time.
    return { label, href: `${href}&since=${encodeURIComponent(since)}` };
  }
  if (!OPENED.includes(subject.type)) return { label, href };
  if (id === '') return { label: 'Open the list', href };
  return { label, href: `${href}?open=${encodeURIComponent(id)}` };
}

/** The tone of one alert, or of the worst of many. */
export function toneOfAlerts(alerts: readonly Pick<Alert, 'severity'>[]): Tone {
  return alerts.some(({ severity }) => severity === 'critical') ? 'bad' : 'warn';
}

/** `2 critical, 1 warning`. */
export function describeCounts(alerts: readonly Pick<Alert, 'severity'>[]): string {
  const critical = alerts.filter(({ severity }) => severity === 'critical').length;
  const warnings = alerts.length - critical;
  const parts = [
    ...(critical > 0 ? [`${critical} critical`] : []),
    ...(warnings > 0 ? [formatNumberOf(warnings, 'warning')] : []),
  ];
  return parts.join(', ');
}
