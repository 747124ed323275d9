import { Anchor, Button, Code, Group, Text, Title } from '@mantine/core';
import { Link } from 'wouter';
import { useAlerts } from '../../api/health';
import type { Alert } from '../../api/schemas';
import { Choice, type ChoiceOf, useChoice } from '../../components/choice';
import { Page, PlainList } from '../../components/page';
import { type EmptyText, QueryState } from '../../components/query-state';
import { Status } from '../../components/status';
import { Moment } from '../../components/values';
import classes from './alerts.module.css';
import { LEAST_COUNTS, linkOf, toneOfAlerts } from './describe-alerts';

const SHOWN = {
  name: 'severity',
  label: 'Severity',
  values: ['all', 'critical', 'warning'],
  initial: 'all',
  labelOf: (value) => ({ all: 'All', critical: 'Critical', warning: 'Warnings' })[value],
} as const satisfies ChoiceOf<'all' | 'critical' | 'warning'>;

/** What wants attention now: since when, what it means, what to do, and where. */
export function AlertsPage() {
  const alerts = useAlerts();
  const shown = useChoice(SHOWN);
  const items = alerts.data?.items.filter(({ severity }) => shown === 'all' || severity === shown);
  return (
    <Page
      title="Alerts"
      sentence="What wants attention now, made anew from what every service says."
      action={<Choice of={SHOWN} />}
    >
      <QueryState
        query={{ ...alerts, data: items }}
        lines={4}
        empty={alerts.data?.items.length === 0 ? NOTHING_WRONG : NONE_SHOWN}
      >
        {(rows) => (
          <PlainList label="Alerts">
            {rows.map((alert) => (
              <AlertCard key={alert.id} alert={alert} />
            ))}
          </PlainList>
        )}
      </QueryState>
      {alerts.data !== undefined && (
        <Text c="dimmed" size="sm">
          Looked <Moment at={alerts.data.checked_at} />. Programs read the same at{' '}
          <Code style={{ whiteSpace: 'nowrap' }}>GET /v1/admin/alerts</Code>.
        </Text>
      )}
    </Page>
  );
}

const NOTHING_WRONG: EmptyText = {
  title: 'Nothing wants attention',
  text:
    'Services, channels, models and their prices, the books, limits and webhooks are looked at ' +
    `while this page is open. What goes wrong stands here with what to do about it. ${LEAST_COUNTS}`,
};

const NONE_SHOWN: EmptyText = {
  title: 'None of these',
  text: 'There are alerts, and none of this severity.',
};

function AlertCard({ alert }: { readonly alert: Alert }) {
  const { severity, title, detail, since, meaning, action, runbook } = alert;
  const link = linkOf(alert);
  return (
    <li className={classes.alert}>
      <div className={classes.head}>
        <Status
          tone={toneOfAlerts([alert])}
          label={severity === 'critical' ? 'Critical' : 'Warning'}
        />
        <Text c="dimmed" size="sm" component="span">
          {since === null ? 'Now' : 'Since '}
          {since !== null && <Moment at={since} full />}
        </Text>
      </div>
      <Title order={2}>{title}</Title>
      {detail !== null && <p className={classes.detail}>{detail}</p>}
      <p>{meaning}</p>
      <p>
        <strong>What to do:</strong> {action}
      </p>
      <Group gap="md">
        <Button component={Link} href={link.href} variant="default" size="xs">
          {link.label}
        </Button>
        {runbook !== null && (
          <Anchor href={runbook} target="_blank" rel="noopener" size="sm">
            Runbook
          </Anchor>
        )}
      </Group>
    </li>
  );
}
