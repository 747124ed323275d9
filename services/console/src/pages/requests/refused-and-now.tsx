import { Anchor, Code, Group, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useKeys } from '../../api/keys';
import type { Candidate, Conditions, OperatorStory, RefusedStory } from '../../api/schemas';
import { Identifier } from '../../components/copy';
import { DrawerSection, type Fact, Facts, fact } from '../../components/side-drawer';
import { Status, type Tone } from '../../components/status';
import { type Step, TimeLine } from '../../components/time-line';
import { Balance, Limit, ModelName, Moment, Money } from '../../components/values';
import { formatName } from '../../format/names';
import { formatNumberOf } from '../../format/quantity';
import { AccountLink, ChannelLink } from './links';
import classes from './requests.module.css';

/** A request that no vendor was asked for, and why. */
export function Refusal({ story }: { readonly story: RefusedStory }) {
  const { account_id, at, bearer, error_code, key_id, message, param } = story;
  const { address, now, rejected, requested_model, resembles } = story;
  const keys = useKeys();
  const ownName = keys.data?.find(({ id }) => id === key_id)?.name;
  const asked = requested_model === null ? '' : `Asked for ${requested_model}.`;
  const refused = formatName(error_code.toLowerCase());
  return (
    <>
      <Group gap="sm">
        <Status tone="bad" label={refused} />
        {requested_model !== null && <ModelName of={requested_model} />}
      </Group>
      <DrawerSection title="What happened">
        <TimeLine
          steps={[
            { title: 'Received', tone: 'idle', when: <Moment at={at} full />, text: asked },
            {
              title: refused,
              tone: 'bad',
              text: bearer === null ? message : FAULTS[bearer.fault],
            },
            ...(rejected ?? []).map(toStep),
            { title: 'Nothing charged', tone: 'idle', text: 'No vendor was asked.' },
          ]}
        />
      </DrawerSection>
      <DrawerSection title="Details">
        <Facts
          facts={[
            ['Request', <Identifier key="id" id={story.id} />],
            ...fact('Account', account_id && <AccountLink id={account_id} />),
            ...fact(
              'API key',
              key_id && <KeyName id={key_id} own={ownName} known={now?.key?.name} />,
            ),
            ...fact('Sent', bearer && (bearer.presented ?? 'Nothing that names a key')),
            ...fact('Begins like', resembles && <Resembled resembles={resembles} />),
            ...fact('From', address && <Code>{address}</Code>),
            ...fact('Allowed from', address && now?.key?.allowed_ips.join(', ')),
            ['Code', <Code key="code">{error_code}</Code>],
            ...fact('Parameter', param && <Code>{param}</Code>),
          ]}
        />
      </DrawerSection>
    </>
  );
}

/** The viewer's own key leads to where its rights are changed. */
export function KeyName(props: {
  readonly id: string;
  readonly own: string | undefined;
  readonly known?: string | undefined;
}) {
  const { id, own, known } = props;
  if (own === undefined) return known ?? <Identifier id={id} />;
  return (
    <Anchor component={Link} href={`/keys?open=${id}`} inherit underline="always">
      {own}
    </Anchor>
  );
}

/** Who mistyped a key, or cut it off, sent the beginning of one that is known. */
function Resembled({ resembles }: { readonly resembles: NonNullable<RefusedStory['resembles']> }) {
  const { account_id, key_name } = resembles;
  return (
    <>
      The API key “{key_name}” of <AccountLink id={account_id} />: mistyped or cut off
    </>
  );
}

type Fault = NonNullable<RefusedStory['bearer']>['fault'];

const FAULTS: Readonly<Record<Fault, string>> = {
  missing: 'No API key was sent.',
  malformed: 'What was sent is no API key: a part of it is missing, or mistyped.',
  unknown: 'No such API key is known here.',
  wrong_secret: 'The API key is known, but this is none of its secrets: mistyped, or rotated away.',
  revoked: 'The API key was revoked.',
  disabled: 'The API key was disabled.',
  expired: 'The API key had expired.',
  owner_gone: 'Who made the API key is gone or disabled, or the account is erased.',
  session: 'It was no API key but a session, which is over or not taken here.',
};

type Rejected = NonNullable<RefusedStory['rejected']>[number];

const REASONS: Readonly<Record<Rejected['reason'], string>> = {
  failing: 'It failed too often and was left alone.',
  cooling_down: 'Its vendor limited us.',
  busy: 'It answered as many requests as it may.',
  gone: 'It could not be called.',
  too_dear: 'It would have cost more than the client allows.',
  unfit: 'It cannot serve such a request.',
};

/** A channel that could not take it, as it was then. */
function toStep({ channel_id, model, reason }: Rejected, index: number): Step {
  return {
    title: `${index + 1}. ${model}`,
    tone: 'bad',
    text: (
      <>
        <ChannelLink id={channel_id} />: {REASONS[reason]}
      </>
    ),
  };
}

/** What the account was told by webhook meanwhile. */
export function Deliveries({ deliveries }: Pick<OperatorStory, 'deliveries'>) {
  if (deliveries === null) return null;
  const sent = deliveries.map(({ attempts, created_at, event_type, id, last_error, status }) => (
    <li key={id}>
      <Status tone={DELIVERY_TONES[status]} label={event_type} /> <Moment at={created_at} full />{' '}
      <Text span size="sm" c="dimmed">
        {formatName(status)} after {formatNumberOf(attempts, 'attempt')}
        {last_error === null ? '' : `: ${last_error}`}
      </Text>
    </li>
  ));
  return (
    <DrawerSection title="Webhooks sent meanwhile">
      {sent.length > 0 ? (
        <ul className={classes.candidates} aria-label="Webhooks">
          {sent}
        </ul>
      ) : (
        <Text size="sm" c="dimmed">
          None to the account.
        </Text>
      )}
    </DrawerSection>
  );
}

const DELIVERY_TONES = { pending: 'idle', succeeded: 'good', failed: 'bad' } as const;

const TONES: Readonly<Record<string, Tone>> = { active: 'good', disabled: 'bad', suspended: 'bad' };

function state(name: string, status: string) {
  return (
    <Group gap="xs">
      {name} <Status tone={TONES[status] ?? 'warn'} label={formatName(status)} />
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
    ...(limits === null ? [] : LIMITS.map(([name, member]) => toFact(name, limits[member]))),
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
        <ul className={classes.candidates} aria-label="Candidates">
          {candidates.map((candidate) => (
            <li key={candidate.rank}>{describeCandidate(candidate)}</li>
          ))}
        </ul>
      )}
    </DrawerSection>
  );
}

/** Who did it and when, with the way to what was written of it. */
function SwitchedOff({ switched }: { readonly switched: Conditions['switched_off'][number] }) {
  const { at, audit_entry_id, by, change, id, name, type } = switched;
  const what = { account: 'The account', key: 'The API key', channel: 'The channel' }[type];
  return (
    <Text size="sm">
      {what} “{name ?? id}” was {change} <Moment at={at} full /> by {by ?? 'nobody known'}.{' '}
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

const LIMITS = [
  ['Requests a minute', 'requests_per_minute'],
  ['Requests a day', 'requests_per_day'],
  ['Requests at once', 'concurrent_requests'],
] as const;

function toFact(name: string, limit: number | null): Fact {
  return [name, <Limit key={name} of={limit} />];
}

function describeCandidate({ channel, eligible, model, reasons }: Candidate) {
  const name = channel === null ? model : `${model} at ${channel.name}`;
  return (
    <>
      <Status tone={eligible ? 'good' : 'bad'} label={name} />{' '}
      <Text span size="sm" c="dimmed">
        {reasons.join('; ')}
      </Text>
    </>
  );
}
