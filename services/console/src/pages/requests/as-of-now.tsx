import { Anchor, Group, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Conditions, OperatorStory } from '../../api/schemas';
import { LIMIT_LABELS, LIMIT_NAMES } from '../../components/drafts';
import { type Fact, Facts, fact } from '../../components/facts';
import { DrawerSection } from '../../components/overlay';
import { PlainList } from '../../components/page';
import { Status, type Tone } from '../../components/status';
import { Balance, Limit, Moment, Money } from '../../components/values';
import { formatName } from '../../format/names';
import { describeSwitchedOff, groupDeliveries } from './describe-request';

/** What the account was told by webhook meanwhile. */
export function StoryDeliveries(props: {
  readonly deliveries: OperatorStory['deliveries'];
  /** The time at which the request came. */
  readonly at: string;
}) {
  const { deliveries, at } = props;
  if (deliveries === null) return null;
  const sent = groupDeliveries(deliveries, at).map(({ count, first, text, tone }) => (
    <li key={first.id}>
      <Status tone={tone} label={first.event_type} />
      {count > 1 && ` ×${count}`} <Moment at={first.created_at} full />{' '}
      <Text span size="sm" c="dimmed">
        {text}
      </Text>
    </li>
  ));
  return (
    <DrawerSection title="Webhooks sent since">
      <Text size="sm" c="dimmed">
        To the account, from this request to five minutes after its end; they may be of others.
      </Text>
      {sent.length > 0 ? (
        <PlainList label="Webhooks">{sent}</PlainList>
      ) : (
        <Text size="sm" c="dimmed">
          None to the account.
        </Text>
      )}
    </DrawerSection>
  );
}

const STANDING_TONES: Readonly<Record<string, Tone>> = {
  active: 'good',
  disabled: 'bad',
  suspended: 'bad',
};

function state(name: string, status: string) {
  return (
    <Group gap="xs">
      {name} <Status tone={STANDING_TONES[status] ?? 'warn'} label={formatName(status)} />
    </Group>
  );
}

/** What would decide about the same request at this moment. */
export function AsOfNow({ now }: { readonly now: Conditions }) {
  const { account, balance, candidates, key, limits, switched_off, unknown } = now;
  const gone = unknown.find(({ about }) => about === 'key');
  const unread = unknown.filter((one) => one !== gone);
  const facts: readonly Fact[] = [
    ['Account', account === null ? 'Not known' : state(account.name, account.status)],
    ['API key', key === null ? (gone?.reason ?? 'Not known') : state(key.name, key.status)],
    ...fact('Balance', balance && describeBalance(balance)),
    ...(limits === null ? [] : LIMIT_NAMES.map((name) => toFact(LIMIT_LABELS[name], limits[name]))),
    ...unread.map(({ about, reason }): Fact => [`Not read: ${about}`, reason]),
  ];
  return (
    <DrawerSection title="As it is now">
      <Text size="sm" c="dimmed">
        What would decide about the same request at this moment, not at the one it was made.
      </Text>
      <Facts facts={facts} />
      {switched_off.map((one) => (
        <SwitchedOff key={one.audit_entry_id} switched={one} />
      ))}
      {candidates !== null && candidates.length > 0 && (
        <PlainList label="Candidates">
          {candidates.map((candidate) => (
            <li key={candidate.rank}>{describeCandidate(candidate)}</li>
          ))}
        </PlainList>
      )}
    </DrawerSection>
  );
}

/** Who switched a thing off and when, whether it is on again, and the way to the audit log. */
function SwitchedOff({ switched }: { readonly switched: Conditions['switched_off'][number] }) {
  const { at, audit_entry_id, on_again } = switched;
  const { again, by, what } = describeSwitchedOff(switched);
  return (
    <Text size="sm">
      {what} <Moment at={at} full />
      {by}.{' '}
      {on_again !== null && (
        <>
          It is on again since <Moment at={on_again.at} full />
          {again}.{' '}
        </>
      )}
      <Anchor component={Link} href={`/operator/audit-log?open=${audit_entry_id}`} inherit>
        What was written
      </Anchor>
    </Text>
  );
}

function describeBalance({ available, reserved }: NonNullable<Conditions['balance']>) {
  return (
    <>
      <Balance of={available} /> available, <Money amount={reserved} /> reserved
    </>
  );
}

function toFact(name: string, limit: number | null): Fact {
  return [name, <Limit key={name} of={limit} />];
}

type Candidate = NonNullable<Conditions['candidates']>[number];

function describeCandidate({ channel, eligible, model, reasons, rejected_then: then }: Candidate) {
  const name = channel === null ? model : `${model} at ${channel.name}`;
  return (
    <>
      <Status tone={eligible ? 'good' : 'bad'} label={name} />{' '}
      <Text span size="sm" c="dimmed">
        {reasons.join('; ')}
        {then !== null && `; then it was passed over: ${formatName(then).toLowerCase()}`}
      </Text>
    </>
  );
}
