import { Code } from '@mantine/core';
import type { Story } from '../../api/schemas';
import { ChannelLink } from '../../components/thing-links';
import type { Step } from '../../components/time-line';
import { Duration, Moment, Money } from '../../components/values';
import { toNano } from '../../format/money';
import { formatDuration, formatNumberOf } from '../../format/quantity';
import { formatDateTime } from '../../format/time';
import {
  answeringCall,
  describeEnd,
  describeLimitsLeft,
  isAnswered,
  nameEnd,
  toneOfEnd,
} from './describe-request';

/** The story of a request, in the order that things happened. */
export function toSteps(story: Story): readonly Step[] {
  return [
    received(story),
    ...limited(story),
    reserved(story),
    ...routed(story),
    ...(story.failed_attempts ?? []).map(failed),
    ...helped(story),
    ...answered(story),
    ended(story),
    charged(story),
  ];
}

function received(story: Story): Step {
  const { requested_model: asked, model, started_at } = story;
  return {
    title: 'Received',
    tone: 'idle',
    when: <Moment at={started_at} full />,
    text: asked === model ? `Asked for ${model}.` : `Asked for ${asked}, which led to ${model}.`,
  };
}

/** The step of the limits: what they left when the request was let in. */
function limited({ limits_left }: Story): readonly Step[] {
  const left = describeLimitsLeft(limits_left);
  return left === undefined || left === ''
    ? []
    : [{ title: 'Within its limits', tone: 'idle', text: `Left after it: ${left}.` }];
}

/** The steps of the vendor calls. Viewers who are told of no calls see how many there were. */
function routed(story: Story): readonly Step[] {
  const { attempts, failed_attempts: failures, channel_id: channelId, model } = story;
  if (failures === undefined) {
    if (attempts < 2) return [];
    const end = isAnswered(story) ? 'the last of them answered' : 'none of them helped';
    return [
      {
        title: `${formatNumberOf(attempts, 'call')} to vendors`,
        tone: 'warn',
        text: `One after another; ${end}.`,
      },
    ];
  }
  if (failures.length > 0 || !channelId) return [];
  return [
    {
      title: 'Routed',
      tone: 'idle',
      text: (
        <>
          {model} at <ChannelLink id={channelId} />.
        </>
      ),
    },
  ];
}

function reserved({ reservation }: Story): Step {
  return {
    title: 'Reserved',
    tone: 'idle',
    text: (
      <>
        <Money amount={reservation.reserved} />, the most that it could cost.
      </>
    ),
  };
}

type FailedAttempt = NonNullable<Story['failed_attempts']>[number];

/** A vendor call that did not help, in the vendor's own words where there are some. */
function failed(attempt: FailedAttempt, index: number): Step {
  const { after_ms, channel_id, http_status, model, reason, took_ms, vendor_message } = attempt;
  return {
    title: `Call ${index + 1} did not help`,
    tone: 'bad',
    when: (
      <>
        {after_ms !== undefined && `+${formatDuration(after_ms)}, `}took <Duration ms={took_ms} />
      </>
    ),
    text: (
      <>
        {model} at <ChannelLink id={channel_id} />:{' '}
        {http_status !== undefined && <Code>{http_status}</Code>} {vendor_message ?? reason}
      </>
    ),
  };
}

/** Who answered in the end: where nobody failed before, that is no news. */
function helped(story: Story): readonly Step[] {
  const call = answeringCall(story);
  if (call === undefined) return [];
  return [
    {
      title: `Call ${call.number} answered`,
      tone: 'good',
      text: (
        <>
          {call.model} at <ChannelLink id={call.channelId} />.
        </>
      ),
    },
  ];
}

function answered({ first_token_ms, attempts }: Story): readonly Step[] {
  if (first_token_ms === null) return [];
  return [
    {
      title: 'First token',
      tone: attempts > 1 ? 'warn' : 'idle',
      text: (
        <>
          After <Duration ms={first_token_ms} />
          {attempts > 1 && `, at the end of ${formatNumberOf(attempts, 'call')} to vendors`}.
        </>
      ),
    },
  ];
}

function ended({ end_reason, error_code, ended_at, started_at }: Story): Step {
  return {
    title: nameEnd(end_reason, error_code),
    tone: toneOfEnd(end_reason),
    when: <Later at={ended_at} since={started_at} />,
    text: (
      <>
        {describeEnd(end_reason, error_code)}
        {error_code !== null && (
          <>
            {' '}
            Answered with <Code>{error_code}</Code>.
          </>
        )}
      </>
    ),
  };
}

function charged({ reservation, ledger, started_at }: Story): Step {
  const isFree = toNano(reservation.charged) === 0n;
  return {
    title: isFree ? 'Nothing charged' : 'Charged',
    tone: isFree ? 'idle' : ledger.settled_reason === 'settled' ? 'good' : 'warn',
    when: <Later at={ledger.posted_at} since={started_at} />,
    text: isFree ? (
      'The whole reservation was released.'
    ) : (
      <>
        <Money amount={reservation.charged} />
        {toNano(reservation.released) === 0n ? '.' : '; the rest of the reservation was released.'}
      </>
    ),
  };
}

/** The time since the beginning: within a second the time of day says nothing. */
function Later({ at, since }: { readonly at: string; readonly since: string }) {
  const laterMs = Math.max(0, Date.parse(at) - Date.parse(since));
  return (
    <time dateTime={at} title={`${at}\n${formatDateTime(at)}`}>
      +{formatDuration(laterMs)}
    </time>
  );
}
