import { DAY_MS, ERROR_CODES } from '@tollgate/core';
import type { OperatorRequestStory, RefusedRequestStory } from '@tollgate/gateway';
import { quote } from '../../quote';
import { describeReserved } from './describe-money';
import { describeChangedPrice, describePaid } from './describe-price';

type Story = OperatorRequestStory;
type Refused = RefusedRequestStory;

/** What of a request's story one line is made of. Older services leave some of it out. */
export type DescribedRequest = {
  readonly status: Story['status'] | Refused['status'];
  readonly error_code: Story['error_code'];
  readonly requested_model: Refused['requested_model'];
  readonly failed_attempts?: readonly FailedAttempt[];
  readonly resembles?: ResembledKey | null;
  readonly rejected?: readonly RejectedCandidate[];
  readonly now?: Conditions | null;
} & Partial<Pick<Story, 'charge' | 'completion_tokens' | 'end_reason'>> &
  Partial<Pick<Story, 'latency_ms' | 'list_price' | 'model' | 'prices' | 'prompt_tokens'>> &
  Partial<Pick<Story, 'ignored_members' | 'started_at'>> &
  Partial<Pick<Refused, 'address' | 'bearer' | 'message' | 'path'>>;

/** The names of channels by their ids. */
export type ChannelNames = ReadonlyMap<string, string>;

type Resembled = NonNullable<Refused['resembles']>;
type ResembledKey = Pick<Resembled, 'account_id' | 'account_name' | 'key_name'>;
type Rejected = Refused['rejected'][number];
type RejectedCandidate = Omit<Rejected, 'until'> & Partial<Pick<Rejected, 'until'>>;

type Attempt = Story['failed_attempts'][number];
type FailedAttempt = Pick<Attempt, 'channel_id' | 'http_status' | 'reason' | 'vendor_message'> &
  Partial<Pick<Attempt, 'after_ms' | 'retry_after_ms' | 'took_ms'>>;

type Now = Story['now'];
type Key = NonNullable<Now['key']>;
type Disabled = Now['disabled_channels'][number];
type DisabledChannel = Omit<Disabled, 'channel_id'> & Partial<Pick<Disabled, 'channel_id'>>;
type SwitchedOff = Omit<Now['switched_off'][number], 'audit_entry_id' | 'on_again' | 'reason'> &
  Partial<Pick<Now['switched_off'][number], 'on_again' | 'reason'>>;

type Conditions = {
  readonly account: Pick<NonNullable<Now['account']>, 'name' | 'status'> | null;
  readonly key: (Pick<Key, 'name' | 'status'> & Partial<Pick<Key, 'disabled_by'>>) | null;
  readonly disabled_channels?: readonly DisabledChannel[];
  readonly switched_off?: readonly SwitchedOff[];
} & Partial<Pick<Now, 'balance' | 'unknown'>> & {
    readonly candidates?: readonly object[] | null;
  };

/** What became of a request, in a line: `failed with UPSTREAM_ERROR: auto, led to small, ...`. */
export function describeRequest(story: DescribedRequest, names: ChannelNames = new Map()): string {
  const { error_code, requested_model: asked, status } = story;
  const isUnserved = error_code === 'SERVICE_UNAVAILABLE';
  const outcome = error_code === null ? status : `${status} with ${error_code}`;
  const parts = [
    asked === null ? undefined : `asked for ${asked}`,
    story.model === undefined || story.model === asked ? undefined : `led to ${story.model}`,
    story.path ? `sent to ${story.path}` : undefined,
    story.bearer ? describeBearer(story) : undefined,
    story.bearer ? undefined : story.message?.replace(/\.$/, ''),
    story.address ? `it came from ${story.address}` : undefined,
    story.path && !story.bearer && story.resembles
      ? `with the API key ${describeOwned(story.resembles)}`
      : undefined,
    ...(story.rejected ?? []).map((one) => describeRejected(one, names)),
    ...(isUnserved ? listDisabled(story.now) : []).map(describeDisabled),
    isUnserved ? describeNoChannel(story) : undefined,
    describeEnd(story),
    ...describeAnswer(story),
    ...describePrices(story),
    // That the call was ended for a client that left is no failure of the channel.
    story.end_reason === 'client_gone'
      ? undefined
      : describeLastFailure(story.failed_attempts, names),
    describeCooldown(story),
    ...(isUnserved ? [] : listAutoDisabled(story)).map(describeAutoDisabled),
    ...describeOwner(story.now),
    ...(story.now?.switched_off ?? []).map((off) => describeSwitchedOff(off, story.now)),
    error_code === 'INSUFFICIENT_BALANCE' ? describeBalance(story.now) : undefined,
    describeIgnored(story.ignored_members),
  ];
  return `${outcome}: ${parts.filter((part) => part !== undefined).join(', ')}`;
}

function describeIgnored(ignored: Story['ignored_members'] = []): string | undefined {
  if (ignored.length === 0) return undefined;
  const names = ignored.map(({ name }) => (name === '*' ? 'a member that is no plain word' : name));
  const meant = ignored.flatMap(({ did_you_mean: known }) => known ?? []);
  const told = `asked with ${[...new Set(names)].join(' and ')}, which was ignored`;
  return meant.length === 0 ? told : `${told}: did you mean ${meant.join(' and ')}?`;
}

/**
 * What a status and its code leave open. This has a twin in the console (`describe-request.ts` and
 * `refusal.tsx` of its pages), as has what is said below of silence, of bearers, of rejected channels,
 * of unknown members and of who switched a thing off: the console takes no code from any service.
 */
const ENDINGS: Readonly<Record<string, string>> = {
  length: 'the answer reached its cap of tokens',
  client_gone: 'the client closed the connection; what was delivered is charged',
  vendor_gone: 'the vendor broke off; what was delivered is charged',
  deadline: 'it took longer than allowed',
  shutdown: 'the service was stopped; what was delivered is charged',
  crash: 'the service ended unexpectedly; what was delivered is charged',
};

function describeEnd({ end_reason, error_code, failed_attempts }: DescribedRequest) {
  if (end_reason !== 'vendor_gone') return ENDINGS[end_reason ?? ''];
  if (error_code === 'UPSTREAM_TIMEOUT')
    return 'the vendor fell silent; what was delivered is charged';
  // Which vendor broke off is said of the last attempt.
  const isTold = RESET_MIDWAY.test(failed_attempts?.at(-1)?.reason ?? '');
  return isTold ? 'what was delivered is charged' : ENDINGS.vendor_gone;
}

function describeAnswer({ charge, latency_ms, ...tokens }: DescribedRequest): readonly string[] {
  if (charge === undefined) return [];
  const { completion_tokens: written = 0, prompt_tokens: read = 0 } = tokens;
  return [`${latency_ms} ms`, `${read + written} tokens`, `charged ${charge}`];
}

/** A price that changed so long before a request is what its account is used to. */
const NEW_PRICE_MS = 7 * DAY_MS;

function describePrices(story: DescribedRequest): readonly string[] {
  const { charge = '0', list_price: list, model = '', prices, started_at = '' } = story;
  if (!list || prices === undefined || Number(charge) === 0) return [];
  const paid = describePaid(prices, list);
  const isNew = Date.parse(started_at) - Date.parse(list.since) < NEW_PRICE_MS;
  const changed = list.before !== null && isNew ? [describeChangedPrice({ ...list, model })] : [];
  return paid === undefined ? changed : [paid, ...changed];
}

function describeLastFailure(
  attempts: readonly FailedAttempt[] = [],
  names: ChannelNames,
): string | undefined {
  const last = attempts.at(-1);
  if (last === undefined) return undefined;
  const { channel_id, http_status, reason, vendor_message } = last;
  const said = vendor_message === undefined ? reason : `"${vendor_message}"`;
  const bare = names.get(channel_id) ?? channel_id;
  const name = `"${bare}"`;
  if (reason.includes('ECONNREFUSED')) return `${name} refused the connection`;
  if (RESET_MIDWAY.test(reason)) return `${name}: the vendor broke off`;
  if (UNANSWERED.test(reason)) {
    return `${name}: the vendor closed the connection before it answered`;
  }
  const isSaid = http_status === undefined || said.includes(` ${http_status}`);
  const told = isSaid ? `${name}: ${said}` : `${name} answered ${http_status} ${said}`;
  if (http_status === 404) return `${told} (is upstream_name of its model right?)`;
  const isBound = TIMED_OUT.test(said);
  return isBound ? `${told} (its timeouts: tollgate channel show ${quote(bare)})` : told;
}

/** A vendor that limits us says for how long. */
function describeCooldown({ failed_attempts, started_at = '' }: DescribedRequest) {
  const { after_ms, retry_after_ms, took_ms = 0 } = failed_attempts?.at(-1) ?? {};
  const startedMs = Date.parse(started_at);
  if (!retry_after_ms || after_ms === undefined || Number.isNaN(startedMs)) return undefined;
  const until = new Date(startedMs + after_ms + took_ms + retry_after_ms);
  return `it cools down until ${until.toISOString()}`;
}

/**
 * What these find is worded elsewhere: `toAppFailure` of egress, `timedOut` of completion, and Node's
 * ECONNREFUSED. A test of `packages/tooling` fails when one of them is reworded.
 */
const RESET_MIDWAY = /: reset in phase body\b/;
const TIMED_OUT = /\bwithin \d+ ms$/;
const UNANSWERED = /: reset in phase sent\b/;

const FAULTS: Readonly<Record<string, string>> = {
  missing: 'no API key was sent',
  malformed: 'what was sent is no API key',
  unknown: 'no such API key is known',
  wrong_secret: 'the API key is known, but this is none of its secrets',
  revoked: 'the API key was revoked',
  disabled: 'the API key was disabled',
  expired: 'the API key had expired',
  owner_gone: 'who made the API key is gone or disabled, or the account is erased',
  session: 'it was a session, which is over or not taken here',
};

function describeBearer(story: DescribedRequest): string | undefined {
  const { bearer, now, resembles } = story;
  if (!bearer) return undefined;
  const { fault, presented } = bearer;
  const off = now?.switched_off?.find(({ type }) => type === 'user');
  const who = fault === 'session' ? 'whose session it was' : 'who made the API key';
  const slip = describeSlip(story);
  const then = off?.change === 'removed' ? 'removed from the account' : 'disabled';
  const found = off && `${who} ${off.on_again || then !== 'disabled' ? 'was' : 'is'} ${then}`;
  const said = slip ?? found ?? FAULTS[fault] ?? fault;
  const shown = presented === null ? said : `${said} (${presented})`;
  if (!resembles) return shown;
  const owned = describeOwned(resembles);
  return slip === undefined
    ? `${shown}, but it begins like the API key ${owned}: mistyped or cut off`
    : `${shown}, which begins like ${owned}`;
}

function describeOwned({ account_id, account_name, key_name }: ResembledKey): string {
  return `"${key_name}" of ${account_name ?? account_id}`;
}

/** What the client was told, unless it was the general sentence, which says nothing more. */
function describeSlip({ message = '' }: DescribedRequest): string | undefined {
  if (message === '' || message === ERROR_CODES.UNAUTHORIZED.publicMessage) return undefined;
  return `${message.charAt(0).toLowerCase()}${message.slice(1)}`.replace(/\.$/, '');
}

/** In the words of the console's `refusal.tsx`; a test of `packages/tooling` compares the two. */
const REJECTIONS: Readonly<Record<string, string>> = {
  failing: 'failed too often',
  cooling_down: 'was limited by its vendor',
  busy: 'had no room (max_concurrency)',
  gone: 'could not be called',
  too_dear: 'was dearer than the client allows',
  unfit: 'cannot serve such a request',
};

function describeRejected(
  { channel_id, model, reason, until }: RejectedCandidate,
  names: ChannelNames,
): string {
  const told = `${model} at "${names.get(channel_id) ?? channel_id}" ${REJECTIONS[reason] ?? reason}`;
  return until ? `${told} until ${until}` : told;
}

/** Disabled channels of which the audit log tells nothing more. */
function listDisabled(now: Conditions | null | undefined): readonly DisabledChannel[] {
  const told = new Set(now?.switched_off?.map(({ id }) => id));
  return (now?.disabled_channels ?? []).filter(({ channel_id: id }) => !told.has(id ?? ''));
}

/** Channels that failed the request and were disabled automatically, then or since. */
function listAutoDisabled({
  failed_attempts = [],
  now,
}: DescribedRequest): readonly DisabledChannel[] {
  const failed = new Set(failed_attempts.map(({ channel_id: id }) => id));
  return listDisabled(now).filter(
    ({ channel_id: id = '', status }) => status === 'auto_disabled' && failed.has(id),
  );
}

/** The vendor's words stand earlier in the line. */
function describeAutoDisabled({ disabled_at: at, name }: DisabledChannel): string {
  const since = at === null ? '' : ` at ${at}`;
  return (
    `channel "${name}" was disabled automatically${since}: mend its credential or its account at the vendor, ` +
    `and it comes back with the next probe, or at once by tollgate channel enable ${quote(name)}`
  );
}

function describeDisabled({ disabled_at, disabled_reason, name, status }: DisabledChannel): string {
  if (status !== 'auto_disabled') return `channel "${name}" is disabled by an operator`;
  const reason = disabled_reason === null ? '' : `: ${disabled_reason.replace(/\.$/, '')}`;
  return `channel "${name}" was disabled automatically${disabled_at === null ? '' : ` at ${disabled_at}`}${reason}`;
}

/** Where there is nothing to enable: a model without a channel, or with those of other groups. */
function describeNoChannel({ now, requested_model: asked }: DescribedRequest): string | undefined {
  const { candidates, disabled_channels: disabled, unknown = [] } = now ?? {};
  const isNone = candidates?.length === 0 && disabled?.length === 0;
  if (!isNone || unknown.some(({ about }) => about === 'channels')) return undefined;
  return `no channel that its account may use has ${asked}: add one, or the model to one`;
}

function describeOwner(now: Conditions | null | undefined): readonly string[] {
  const { account, key, unknown = [] } = now ?? { account: null, key: null };
  const unread = unknown.find(({ about }) => about === 'key');
  const isTold = now?.switched_off?.some(({ type }) => type === 'key');
  return [
    ...(account === null ? [] : [`account ${account.name} is ${account.status} now`]),
    ...(key === null ? [] : [`API key ${key.name} is ${key.status}`]),
    ...(unread === undefined || isTold ? [] : [`API key: ${unread.reason.replace(/\.$/, '')}`]),
  ];
}

/** `API key "gone" was revoked 2026-01-01T00:00:00.000Z by ann@acme.example`. */
function describeSwitchedOff(off: SwitchedOff, now?: Conditions | null): string {
  const { change, id, name, on_again: on, type } = off;
  const told = sayOff(off);
  if (on) return `${told} and is on again since ${sayWhen(on)}`;
  if (change === 'removed' || change === 'rotated') return told;
  if (type === 'user') return `${told}; to let in again: tollgate user enable ${quote(name ?? id)}`;
  const isOperators = type === 'key' && now?.key?.disabled_by === 'operator';
  if (isOperators) return `${told}; to let in again: POST /v1/admin/keys/${id}/enable`;
  if (type !== 'account' || now?.account?.status !== 'suspended') return told;
  return `${told}; to let in again: tollgate account resume ${id}`;
}

const ITSELF = 'system';

function sayOff({ at, by, change, id, name, reason, type }: SwitchedOff): string {
  if (type === 'user') return `${name ?? id} was ${change} ${sayWhen({ at, by })}`;
  const named = `${type === 'key' ? 'API key' : type} ${name === null ? id : `"${name}"`}`;
  if (by !== ITSELF) return `${named} was ${change} ${sayWhen({ at, by })}`;
  return `${named} was disabled automatically ${at}${reason ? ` (${reason.replace(/\.$/, '')})` : ''}`;
}

function sayWhen({ at, by }: Pick<SwitchedOff, 'at' | 'by'>): string {
  if (by === ITSELF) return `${at} by itself`;
  return by === null ? at : `${at} by ${by}`;
}

function describeBalance(now: Conditions | null | undefined): string | undefined {
  const { balance } = now ?? {};
  return balance ? `its balance is ${balance.balance}: ${describeReserved(balance)}` : undefined;
}
