import { Code, Group } from '@mantine/core';
import type { RefusedStory } from '../../api/schemas';
import { Identifier } from '../../components/copy';
import { Facts, fact } from '../../components/facts';
import { DrawerSection } from '../../components/overlay';
import { Status } from '../../components/status';
import { AccountLink, ChannelLink, KeyLink } from '../../components/thing-links';
import { type Step, TimeLine } from '../../components/time-line';
import { ModelName, Moment } from '../../components/values';
import { labelReason } from './describe-request';

/** A request that no vendor was asked for, and why. */
export function Refusal({ story }: { readonly story: RefusedStory }) {
  const { account_id, at, bearer, error_code, key_id, message, param } = story;
  const { address, now, path, rejected, requested_model, resembles } = story;
  const asked = requested_model === null ? '' : `Asked for ${requested_model}.`;
  const refused = labelReason(error_code);
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
            ...fact('API key', key_id && <KeyLink id={key_id} known={now?.key?.name} />),
            ...fact('Sent', bearer && (bearer.presented ?? 'Nothing that names a key')),
            ...fact('Wrong with it', bearer && message),
            ...fact(
              path === null ? 'Begins like' : 'Sent with',
              resembles && <Resembled resembles={resembles} isWhole={path !== null} />,
            ),
            ...fact('Sent to', path && <Code>{path}</Code>),
            ...fact('From', address && <Code>{address}</Code>),
            ...fact('Allowed from', address && bearer === null && now?.key?.allowed_ips.join(', ')),
            ['Code', <Code key="code">{error_code}</Code>],
            ...fact('Parameter', param && <Code>{param}</Code>),
          ]}
        />
      </DrawerSection>
    </>
  );
}

/** The known key whose beginning was sent: somebody mistyped it, or cut it off. */
function Resembled(props: {
  readonly resembles: NonNullable<RefusedStory['resembles']>;
  /** The key was not checked, because the path is wrong: it may well be right. */
  readonly isWhole: boolean;
}) {
  const { account_id, key_name } = props.resembles;
  return (
    <>
      The API key “{key_name}” of <AccountLink id={account_id} />
      {!props.isWhole && ': mistyped or cut off'}
    </>
  );
}

type Fault = NonNullable<RefusedStory['bearer']>['fault'];

/** Commands have a table of their own: `describe-request.ts` of all-in-one. */
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

/** As `describe-request.ts` of all-in-one has it: a test of `packages/tooling` compares the two. */
const REJECTIONS: Readonly<Record<Rejected['reason'], string>> = {
  failing: 'It failed too often.',
  cooling_down: 'It was limited by its vendor.',
  busy: 'It had no room (max_concurrency).',
  gone: 'It could not be called.',
  too_dear: 'It was dearer than the client allows.',
  unfit: 'It cannot serve such a request.',
};

/** A channel that could not take it, as it was then. */
function toStep({ channel_id, model, reason, until }: Rejected, index: number): Step {
  return {
    title: `${index + 1}. ${model}`,
    tone: 'bad',
    text: (
      <>
        <ChannelLink id={channel_id} />: {REJECTIONS[reason]}
        {until !== null && (
          <>
            {' '}
            Until <Moment at={until} full />.
          </>
        )}
      </>
    ),
  };
}
