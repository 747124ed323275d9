import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { useAlerts } from '../../api/health';
import { Status } from '../../components/status';
import classes from './alerts.module.css';
import { describeCounts, toneOfAlerts } from './describe-alerts';

/** A line above another page, only while something wants attention. */
export function AlertNotice() {
  const items = useAlerts().data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <div className={classes.notice} role="status">
      <Status tone={toneOfAlerts(items)} label={describeCounts(items)} />
      <Anchor component={Link} href="/operator/alerts" size="sm">
        See what wants attention
      </Anchor>
    </div>
  );
}
