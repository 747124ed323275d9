import { useAlerts } from '../api/health';
import { formatNumberOf } from '../format/quantity';
import classes from './shell.module.css';

/** How often alerts are counted: every page shows the number, so less often than their own page. */
const ASK_MS = 60_000;

/** How many alerts there are; nothing while there is none. */
export function AlertCount() {
  const items = useAlerts(ASK_MS).data?.items ?? [];
  if (items.length === 0) return null;
  const isCritical = items.some(({ severity }) => severity === 'critical');
  return (
    <span className={classes.count} data-critical={isCritical}>
      <span aria-hidden="true">{items.length}</span>
      <span className={classes.spoken}>, {formatNumberOf(items.length, 'alert')}</span>
    </span>
  );
}
