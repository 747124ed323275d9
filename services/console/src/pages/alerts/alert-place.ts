import type { Alert } from '../../api/schemas';

/** Where an alert is mended. */
interface Place {
  readonly label: string;
  readonly href: string;
}

const PLACES: Readonly<Record<Alert['subject']['type'], Place>> = {
  service: { label: 'Open health', href: '/operator/health' },
  money: { label: 'Open the audit', href: '/operator/health' },
  channel: { label: 'Open the channel', href: '/operator/channels' },
  model: { label: 'Open the model', href: '/operator/models' },
  requests: { label: 'Open what failed', href: '/operator/requests?status=failed' },
  account: { label: 'Open the account', href: '/operator/accounts' },
  webhook: { label: 'Open the account', href: '/operator/accounts' },
};

/** Pages whose drawer shows the one thing. */
const OPENED: readonly Alert['subject']['type'][] = ['channel', 'model', 'account', 'webhook'];

/** The page that mends it, with the drawer open where it is about one thing. */
export function placeOf({
  subject,
  account_id,
  since,
}: Pick<Alert, 'subject' | 'account_id' | 'since'>): Place {
  const { label, href } = PLACES[subject.type];
  const id = account_id ?? subject.id;
  if (subject.type === 'requests' && since !== null) {
    // Those of the alert, not of all time.
    return { label, href: `${href}&since=${encodeURIComponent(since)}` };
  }
  if (!OPENED.includes(subject.type)) return { label, href };
  if (id === '') return { label: 'Open the list', href };
  return { label, href: `${href}?open=${encodeURIComponent(id)}` };
}

/** `2 critical, 1 warning`. */
export function describeCounts(alerts: readonly Pick<Alert, 'severity'>[]): string {
  const critical = alerts.filter(({ severity }) => severity === 'critical').length;
  const warnings = alerts.length - critical;
  const parts = [
    ...(critical > 0 ? [`${critical} critical`] : []),
    ...(warnings > 0 ? [`${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`] : []),
  ];
  return parts.join(', ');
}
