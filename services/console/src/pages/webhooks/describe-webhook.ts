import type { Delivery, Webhook } from '../../api/schemas';
import type { StatusLabel, Tone } from '../../components/status';
import { formatName } from '../../format/names';
import { formatCount, formatNumberOf } from '../../format/quantity';
import { formatAgo } from '../../format/time';

/** Whether events arrive: an enabled webhook that fails is on its way to be disabled. */
export function describeWebhook({
  status,
  consecutive_failures: failures,
}: Pick<Webhook, 'status' | 'consecutive_failures'>): StatusLabel {
  if (status === 'auto_disabled') return { tone: 'bad', label: 'Disabled automatically' };
  if (status === 'disabled') return { tone: 'idle', label: 'Disabled' };
  if (failures > 0) return { tone: 'warn', label: `Failing, ${formatCount(failures)} in a row` };
  return { tone: 'good', label: 'Enabled' };
}

/** How a delivery stands, in the same colour wherever one is shown. */
export const DELIVERY_TONES: Readonly<Record<Delivery['status'], Tone>> = {
  succeeded: 'good',
  pending: 'warn',
  failed: 'bad',
};

/** The state of a delivery, and after how many tries where one was not enough. */
export function describeDelivery(
  { status, attempts }: Pick<Delivery, 'status' | 'attempts'>,
  isEnabled: boolean,
): StatusLabel {
  const state = status === 'pending' && !isEnabled ? 'Held until enabled' : formatName(status);
  const tries = attempts > 1 ? `, ${formatNumberOf(attempts, 'try', 'tries')}` : '';
  return { tone: DELIVERY_TONES[status], label: `${state}${tries}` };
}

/** `Next try in 5 min`; a delivery whose time has come is on its way. */
export function describeNextTry(nextAttemptAt: string, nowMs: number): string {
  if (Date.parse(nextAttemptAt) <= nowMs) return 'Next try is due';
  const when = formatAgo(nextAttemptAt, nowMs);
  return when === 'just now' ? 'Next try is due' : `Next try ${when}`;
}
