import type { Webhook } from '../../api/schemas';
import type { StatusLabel } from '../../components/status';
import { formatCount } from '../../format/quantity';

/** Whether events arrive: one that is enabled and fails is on its way to be disabled. */
export function describeWebhook({
  status,
  consecutive_failures: failures,
}: Pick<Webhook, 'status' | 'consecutive_failures'>): StatusLabel {
  if (status === 'auto_disabled') return { tone: 'bad', label: 'Disabled after failures' };
  if (status === 'disabled') return { tone: 'idle', label: 'Disabled' };
  if (failures > 0) return { tone: 'warn', label: `Failing, ${formatCount(failures)} in a row` };
  return { tone: 'good', label: 'Enabled' };
}
