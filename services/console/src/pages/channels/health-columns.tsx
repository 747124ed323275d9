import type { Channel } from '../../api/schemas';
import type { Column } from '../../components/data-table';
import { Moment } from '../../components/values';
import { formatShare, NOTHING } from '../../format/quantity';
import { BreakerStatus } from './columns';

type ModelHealth = Channel['health']['models'][number];

/** How one model of a channel is. */
export const healthColumns: readonly Column<ModelHealth>[] = [
  { header: 'Model', cell: ({ model }) => model },
  {
    header: 'Breaker',
    cell: ({ breaker }) => <BreakerStatus breaker={breaker} />,
  },
  {
    header: 'Success',
    isNumeric: true,
    cell: ({ success_rate }) => (success_rate === null ? NOTHING : formatShare(success_rate)),
  },
  { header: 'Left alone until', cell: ({ cooldown_until }) => <Moment at={cooldown_until} /> },
];
