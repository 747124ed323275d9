import { firstIdAt, idTimeMs, toIsoTime } from '@tollgate/core';
import type { statsV1 } from '@tollgate/protos';
import { readAccountNames } from '../asking/names';
import { createPartialAnswer } from '../asking/partial-answer';
import type { Services } from '../operation';
import { RUNNING_DEADLINE_MS, toRunning } from './running-requests';

/** A request that is asked for by its id: an account's own, or for operators any. */
export interface SoughtRequest {
  readonly requestId: string;
  /** Absent: of any account. */
  readonly accountId?: string;
}

/**
 * Why nothing is told of a request that has neither a story nor a refusal: it runs, it is too new,
 * it was one of a burst, or it is none of ours. Undefined where an account is told no more than
 * that there is none.
 */
export async function sayUnknown(
  asked: SoughtRequest,
  services: Services,
): Promise<string | undefined> {
  const { clock, denialWindowMs } = services;
  const { requestId } = asked;
  const isOwn = asked.accountId !== undefined;
  const { told: running, unasked = '' } = isOwn ? {} : await sayRunning(requestId, services);
  if (running !== undefined) return running;
  const ageMs = clock.now() - (idTimeMs('request', requestId) ?? Number.NEGATIVE_INFINITY);
  const toldAfterMs = denialWindowMs + TOLD_MARGIN_MS;
  const near = ageMs < toldAfterMs ? '' : await sayNear(asked, services);
  if (ageMs >= 0 && ageMs < denialWindowMs + NEW_MARGIN_MS) {
    const why = ageMs < toldAfterMs ? sayAwaited(denialWindowMs) : sayWhyNotKept(requestId, isOwn);
    return `${sayAge(ageMs)}${why}${unasked}${near}`;
  }
  if (isOwn && near === '') return undefined;
  return `${sayByItsId(requestId, clock)}${unasked}${near}`;
}

interface ToldRunning {
  /** That it runs; undefined when none does so, as far as is known. */
  readonly told: string | undefined;
  /** Whom nobody could ask; empty when all answered. */
  readonly unasked: string;
}

/** A request that runs, by its id or what its client called it: its story comes with its end. */
async function sayRunning(
  name: string,
  { clock, completions, routing }: Pick<Services, 'clock' | 'completions' | 'routing'>,
): Promise<ToldRunning> {
  const call = { deadlineMs: RUNNING_DEADLINE_MS };
  const { requests, silent } = await completions.listActive({ accountId: '', name }, call);
  const unasked = silent.length === 0 ? '' : ` ${silent.join(', ')} did not say what runs there.`;
  // A name that a client gave more than once: the newest is meant.
  const one = requests.at(-1);
  if (one === undefined) return { told: undefined, unasked };
  const { attempts, id, model, reserved, running_ms, started_at } = toRunning(one, clock.now());
  const { ask } = createPartialAnswer();
  const { channelId } = one;
  const found = await ask('channel', () => routing.getChannel({ channelId }));
  const at = `${model} at "${found?.channel?.name ?? channelId}"`;
  const asked = attempts === 0 ? `${at} is to be asked first` : `${at} is asked (call ${attempts})`;
  const called = id === name ? 'This request' : `${id}, the newest of that name,`;
  const told =
    `${called} has not ended: it runs since ${started_at}, for ${Math.floor(running_ms / 1000)} s, of ` +
    `${one.accountId} with ${one.keyId}; ${asked}, and ${reserved} is reserved. Its story is told ` +
    'when it has ended.';
  return { told, unasked };
}

// Refused requests are published at the end of their window; these are times after that end.
/** Statistics usually have a refused request by then. */
const TOLD_USUALLY_MS = 5_000;
/** Statistics have it by then, if it is kept. */
const TOLD_MARGIN_MS = 10_000;
/** Until then it is not said of a request that nothing is kept of it. */
const NEW_MARGIN_MS = 50_000;
const NEAR_MS = 5_000;
const NEAR_MAX = 20;
const WHOSE_MAX = 3;

/** Tells of refusals at the same time: a part of a burst is kept, and the others are likely alike. */
async function sayNear(
  { requestId, accountId = '' }: SoughtRequest,
  services: Pick<Services, 'identity' | 'stats'>,
): Promise<string> {
  const madeAtMs = idTimeMs('request', requestId);
  if (madeAtMs === undefined) return '';
  const beforeRequestId = firstIdAt('request', madeAtMs + NEAR_MS);
  const page = await services.stats
    .listRefusals({ accountId, limit: NEAR_MAX, beforeRequestId })
    .catch(() => ({ refusals: [] }));
  const near = page.refusals.filter(({ at }) => Date.parse(at) >= madeAtMs - NEAR_MS);
  const least = near.length < NEAR_MAX ? '' : 'at least ';
  const whose = accountId === '' ? near.map((one) => one.accountId).filter((id) => id !== '') : [];
  // The ids of the accounts beyond these say enough.
  const names = await readAccountNames(whose, WHOSE_MAX, services);
  const codes = [...new Set(near.map(({ errorCode }) => errorCode))].map((code) => {
    const same = near.filter(({ errorCode }) => errorCode === code);
    const senders = accountId === '' ? sayWhose(same, names) : '';
    return `${least}${same.length} with ${code}${senders}, such as ${same[0]?.requestId}`;
  });
  if (codes.length === 0) return '';
  const intro = `Refused within ${NEAR_MS / 1000} s of it and kept, as a part of a burst is`;
  return ` ${intro}: ${codes.join('; ')}.`;
}

/** The accounts and keys of a part of a burst: the one that is asked for is likely one of these. */
function sayWhose(
  same: readonly statsV1.Refusal__Output[],
  names: ReadonlyMap<string, string>,
): string {
  const whose = [...Map.groupBy(same, ({ accountId }) => accountId)].map(([accountId, ofIt]) => {
    if (accountId === '') return 'nobody who is known';
    const keyIds = [...new Set(ofIt.map(({ keyId }) => keyId))].filter((id) => id !== '');
    const name = names.get(accountId);
    const ids = name === undefined ? keyIds : [accountId, ...keyIds];
    const called = name === undefined ? accountId : `"${name}"`;
    return ids.length === 0 ? called : `${called} (${listSome(ids)})`;
  });
  return ` of ${listSome(whose)}`;
}

function listSome(all: readonly string[]): string {
  const more = all.length > WHOSE_MAX ? ` and ${all.length - WHOSE_MAX} more` : '';
  return `${all.slice(0, WHOSE_MAX).join(', ')}${more}`;
}

function sayAge(ageMs: number): string {
  return `Nothing is known of this request yet, which is ${Math.floor(ageMs / 1000)} s old`;
}

function sayAwaited(denialWindowMs: number): string {
  const afterS = Math.round((denialWindowMs + TOLD_USUALLY_MS) / 1000);
  return (
    `: what was refused is known after about 2 s, after about ${afterS} s where others were ` +
    'refused just before, and what a vendor answers when it has ended. Ask again.'
  );
}

/**
 * A vendor that is still answering is one reason why nothing is known, and not the likeliest: it is
 * named last.
 */
function sayWhyNotKept(requestId: string, isOwn: boolean): string {
  const log = isOwn ? '' : ` The log of the gateway has what was refused: grep ${requestId}.`;
  return (
    '. Either it was refused and is not kept, as of a burst a part is not; or it is no ' +
    `completion; or it is one that has not ended.${log}`
  );
}

/** The id of a request is of another machine's clock, which may go ahead. */
const CLOCKS_DIFFER_MS = 60_000;

/** Its id tells when it was made, and whether it can be one of ours. */
function sayByItsId(requestId: string, clock: Services['clock']): string {
  const madeAtMs = idTimeMs('request', requestId);
  if (madeAtMs === undefined || madeAtMs > clock.now() + CLOCKS_DIFFER_MS) {
    return (
      'No request has this id, and none runs that its client called so: an id is the X-Request-Id ' +
      'of an answer and begins with req_. By what its client sent a request that has ended is found ' +
      'by GET /v1/admin/requests?client_request_id=.'
    );
  }
  return (
    `Nothing is kept of this request, which was made at ${toIsoTime(madeAtMs)}. Kept are completions, ` +
    'and for 24 hours a part of those that were refused and of the keys that other paths refused. ' +
    `Any other request is in the log of the gateway alone: grep ${requestId}.`
  );
}
