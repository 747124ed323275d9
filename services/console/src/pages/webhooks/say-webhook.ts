import type { Webhook } from '../../api/schemas';
import type { Tone } from '../../components/status';
import { formatCount } from '../../format/quantity';

type Told = Pick<Webhook, 'status' | 'consecutive_failures'>;

/** Whether events arrive: one that is enabled and fails is on its way to be disabled. */
export function sayWebhook({ status, consecutive_failures: failures }: Told): {
  readonly tone: Tone;
  readonly label: string;
} {
  if (status === 'auto_disabled') return { tone: 'bad', label: 'Disabled after failures' };
  if (status === 'disabled') return { tone: 'idle', label: 'Disabled' };
  if (failures > 0) return { tone: 'warn', label: `Failing, ${formatCount(failures)} in a row` };
  return { tone: 'good', label: 'Enabled' };
}
