import { Code, Text } from '@mantine/core';
import type { Candidate, Conditions, RefusedStory } from '../../api/schemas';
import { Identifier } from '../../components/copy';
import { DrawerSection, type Fact, Facts } from '../../components/side-drawer';
import { Status, type Tone, toWords } from '../../components/status';
import { TimeLine } from '../../components/time-line';
import { Limit, Moment } from '../../components/values';
import { AccountLink } from './account-link';
import classes from './requests.module.css';

/** A request that no vendor was asked for, and why. */
export function Refusal({ story }: { readonly story: RefusedStory }) {
  const { account_id, at, error_code, message, param, requested_model } = story;
  const asked = requested_model === null ? '' : `Asked for ${requested_model}.`;
  return (
    <>
      <DrawerSection title="What happened">
        <TimeLine
          steps={[
            { title: 'Received', tone: 'idle', when: <Moment at={at} full />, text: asked },
            { title: toWords(error_code.toLowerCase()), tone: 'bad', text: message },
            { title: 'Nothing charged', tone: 'idle', text: 'No vendor was asked.' },
          ]}
        />
      </DrawerSection>
      <DrawerSection title="Details">
        <Facts
          facts={[
            ['Request', <Identifier key="id" id={story.id} />],
            ['Account', <AccountLink key="account" id={account_id} />],
            ['API key', <Identifier key="key" id={story.key_id} />],
            ['Code', <Code key="code">{error_code}</Code>],
            ...(param === null ? [] : [['Member', <Code key="member">{param}</Code>] as const]),
          ]}
        />
      </DrawerSection>
    </>
  );
}

const TONES: Readonly<Record<string, Tone>> = { active: 'good', disabled: 'bad', suspended: 'bad' };

function state(name: string, status: string) {
  return (
    <>
      {name} <Status tone={TONES[status] ?? 'warn'} label={toWords(status)} />
    </>
  );
}

/** What would decide about the same request at this moment. */
export function AsOfNow({ now }: { readonly now: Conditions }) {
  const { account, candidates, key, limits, unknown } = now;
  const facts: readonly Fact[] = [
    ['Account', account === null ? 'Not known' : state(account.name, account.status)],
    ['API key', key === null ? 'Not known' : state(key.name, key.status)],
    ...(limits === null ? [] : LIMITS.map(([name, member]) => toFact(name, limits[member]))),
    ...unknown.map(({ about, reason }): Fact => [`Not read: ${about}`, reason]),
  ];
  return (
    <DrawerSection title="As it is now">
      <Text size="sm" c="dimmed">
        What would decide about the same request at this moment, not at the one it was made.
      </Text>
      <Facts facts={facts} />
      {candidates !== null && candidates.length > 0 && (
        <ul className={classes.candidates} aria-label="Candidates">
          {candidates.map((candidate) => (
            <li key={candidate.rank}>{sayCandidate(candidate)}</li>
          ))}
        </ul>
      )}
    </DrawerSection>
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

function sayCandidate({ channel, eligible, model, reasons }: Candidate) {
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
