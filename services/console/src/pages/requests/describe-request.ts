import type { Conditions, OperatorStory, Request, Story } from '../../api/schemas';
import type { Tone } from '../../components/status';
import { capitalize, formatName } from '../../format/names';
import { formatCount, formatNumberOf } from '../../format/quantity';
import { DELIVERY_TONES } from '../webhooks/describe-webhook';

const ANSWERED: ReadonlySet<string> = new Set(['stop', 'tool_calls']);
const CUT: ReadonlySet<string> = new Set(['length', 'content_filter', 'client_gone', 'deadline']);

/** How an ending is to be taken: done, cut short, or failed. */
export function toneOfEnd(reason: string): Tone {
  if (ANSWERED.has(reason)) return 'good';
  return CUT.has(reason) ? 'warn' : 'bad';
}

const END_NAMES: Readonly<Record<string, string>> = {
  stop: 'Succeeded',
  tool_calls: 'Asked for a tool',
  length: 'Reached its cap',
  content_filter: 'Filtered',
  client_gone: 'Client left',
  vendor_gone: 'Vendor broke off',
  deadline: 'Took too long',
  shutdown: 'Service stopped',
  crash: 'Service ended',
};
/** Errors of vendors, which the API calls upstream. */
const ERROR_NAMES: Readonly<Record<string, string>> = {
  UPSTREAM_ERROR: 'Vendor error',
  UPSTREAM_TIMEOUT: 'Vendor timed out',
};

/** The name of an ending, the same everywhere: that of its error where there was one. */
export function nameEnd(reason: string, errorCode: string | null): string {
  if (errorCode === null) return END_NAMES[reason] ?? formatName(reason);
  return ERROR_NAMES[errorCode] ?? labelCode(errorCode);
}

/**
 * Where a command tells of an end it uses these words too: `describe-request.ts` of all-in-one. It has
 * a twin as well of what is said below of silence, of unknown members and of who switched a thing off.
 */
const END_SENTENCES: Readonly<Record<string, string>> = {
  stop: 'The model finished its answer.',
  tool_calls: 'The model asked for a tool.',
  length: 'The answer reached its cap of tokens.',
  content_filter: "The vendor's filter ended the answer.",
  client_gone: 'The client closed the connection; what was delivered is charged.',
  vendor_gone: 'The vendor broke off; what was delivered is charged.',
  vendor_error: 'The vendor answered an error.',
  no_channel: 'No channel could serve it.',
  deadline: 'It took longer than allowed.',
  shutdown: 'The service was stopped; what was delivered is charged.',
  crash: 'The service ended unexpectedly; what was delivered is charged.',
  internal_error: 'The service failed.',
};

/** Why a request ended, as a sentence. */
export function describeEnd(reason: string, errorCode: string | null): string {
  if (reason === 'vendor_gone' && errorCode === 'UPSTREAM_TIMEOUT') {
    return 'The vendor fell silent; what was delivered is charged.';
  }
  return END_SENTENCES[reason] ?? reason;
}

type Outcome = Pick<Request, 'status' | 'prompt_tokens' | 'completion_tokens'>;

/** Whether nothing came of the request and nothing was counted: its zeros are no amounts. */
export function isNothing({ status, prompt_tokens, completion_tokens }: Outcome): boolean {
  return status === 'failed' && prompt_tokens + completion_tokens === 0;
}

/** Where the code's own words leave open what is meant. */
const CODE_WORDS: Readonly<Record<string, string>> = {
  INSUFFICIENT_BALANCE: 'balance too low',
  KEY_BUDGET_EXCEEDED: "key's budget too low",
  COST_LIMIT: 'dearer than the client allows',
  UNAUTHORIZED: 'API key not valid',
  FORBIDDEN: 'not allowed',
  NOT_FOUND: 'no such model or path',
  RATE_LIMIT_EXCEEDED: 'rate limit',
  VALIDATION_ERROR: 'request not valid',
  SERVICE_UNAVAILABLE: 'no channel could serve it',
};

/** Why a request was refused before a vendor was asked, within a sentence. */
export function nameReason(code: string): string {
  return CODE_WORDS[code] ?? labelCode(code).toLowerCase();
}

/** The reason where it stands alone, by the one name that each code has: `Balance too low`. */
export function labelReason(code: string): string {
  return capitalize(nameReason(code));
}

/** A code of an error in words: `Rate limit exceeded`. */
function labelCode(code: string): string {
  return formatName(code.toLowerCase());
}

/** `59 of 60 this minute, 999 of 1,000 today`; undefined when there was no limit. */
export function describeLimitsLeft(limits: Story['limits_left']): string | undefined {
  if (limits === null) return undefined;
  const left = (part: Left | null, span: string) =>
    part === null ? [] : [`${formatCount(part.left)} of ${formatCount(part.limit)} ${span}`];
  return [...left(limits.minute, 'this minute'), ...left(limits.day, 'today')].join(', ');
}

const WHAT = {
  account: 'The account',
  user: 'The person',
  key: 'The API key',
  channel: 'The channel',
} as const;

type SwitchedOff = Conditions['switched_off'][number];

/** Stands in place of a person where a channel was disabled automatically. */
const ITSELF = 'system';

/** What became of a thing, `by` whom, and by whom it was switched on `again`. */
export function describeSwitchedOff(off: Omit<SwitchedOff, 'at' | 'audit_entry_id'>) {
  const { by, change, id, name, on_again, reason, type } = off;
  const what = `${WHAT[type]} “${name ?? id}”`;
  const why = reason === null ? '' : `: ${reason.replace(/\.$/, '')}`;
  return {
    what: by === ITSELF ? `${what} was disabled automatically` : `${what} was ${change}`,
    by: by === ITSELF ? why : `${sayBy(by)}${why}`,
    again: on_again === null ? '' : sayBy(on_again.by),
  };
}

function sayBy(by: string | null): string {
  return by === ITSELF ? ' by itself' : ` by ${by ?? 'nobody known'}`;
}

/** `max_token (did you mean max_tokens?)`; undefined without any. */
export function describeIgnored(ignored: Story['ignored_members']): string | undefined {
  if (ignored.length === 0) return undefined;
  const told = ignored.map(({ did_you_mean: meant, name }) => {
    const shown = name === '*' ? 'a member that is no plain word' : name;
    return meant === null ? shown : `${shown} (did you mean ${meant}?)`;
  });
  return told.join(', ');
}

interface Left {
  readonly left: number;
  readonly limit: number;
}

/** A vendor call that answered after others had failed. */
interface AnsweringCall {
  /** Among all calls of the request, from 1. */
  readonly number: number;
  readonly model: string;
  readonly channelId: string;
}

type Attempted = Pick<
  Story,
  'attempts' | 'channel_id' | 'failed_attempts' | 'first_token_ms' | 'model' | 'status'
>;

/** Whether anything was answered, be it the beginning of an answer that failed in the end. */
export function isAnswered({ status, first_token_ms }: Pick<Story, 'status' | 'first_token_ms'>) {
  return status === 'succeeded' || first_token_ms !== null;
}

/**
 * The call that helped where others did not. Undefined where the only call answered, where none did,
 * and for viewers who are told of no calls.
 */
export function answeringCall(story: Attempted): AnsweringCall | undefined {
  const { attempts, channel_id: channelId, failed_attempts, model } = story;
  const failed = failed_attempts?.length ?? 0;
  if (failed === 0 || attempts <= failed || !isAnswered(story) || !channelId) return undefined;
  return { number: attempts, model, channelId };
}

/** Why there was no first token: a whole answer has none, and of another none came. */
export function describeNoToken({ status, stream }: Pick<Story, 'status' | 'stream'>): string {
  if (stream) return 'No token came';
  return status === 'succeeded' ? 'Answered as a whole' : 'No answer came';
}

type Delivery = NonNullable<OperatorStory['deliveries']>[number];

/** Deliveries that ended alike, as one. */
interface Delivered {
  readonly first: Delivery;
  readonly count: number;
  readonly text: string;
  readonly tone: Tone;
}

/** Leaves out deliveries sent before the request came: it cannot be their cause. */
export function groupDeliveries(deliveries: readonly Delivery[], at: string): readonly Delivered[] {
  const groups = new Map<string, Delivered>();
  for (const one of deliveries) {
    if (Date.parse(one.created_at) < Date.parse(at)) continue;
    const { attempts, event_type, last_error, status } = one;
    const ended = `${formatName(status)} after ${formatNumberOf(attempts, 'try', 'tries')}`;
    const text = last_error === null ? ended : `${ended}: ${last_error}`;
    const name = `${event_type} ${text}`;
    const { first = one, count = 0 } = groups.get(name) ?? {};
    groups.set(name, { first, count: count + 1, text, tone: DELIVERY_TONES[status] });
  }
  return [...groups.values()];
}
