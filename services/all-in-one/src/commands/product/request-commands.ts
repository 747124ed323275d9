import { PAGE_SIZE_MAX } from '@tollgate/core';
import type { OperatorRefusedRequest, OperatorRequestStory } from '@tollgate/gateway';
import type { Command } from 'commander';
import type { CommandDependencies } from '../command';
import { readLimit, readTime } from '../option-readers';
import { eachPage, type Listed, NotFoundError, type Page, type Product } from '../product-client';
import { type AddCommand, LIMIT_HELP, NAMED_ACCOUNT } from './add-command';
import type { RunningRequests } from './describe-money';
import { type DescribedRequest, describeRequest } from './describe-request';
import { findAccount, findChannel, readChannelNames } from './find-named';

/** One request by its id or by what its client called it, and lists of them. */
export function addRequest(
  request: Command,
  addCommand: AddCommand,
  { progress }: Pick<CommandDependencies, 'progress'>,
): void {
  addCommand(
    request
      .argument('<request id>', 'the X-Request-Id of an answer, or the one that the client sent')
      .description('the story of one request: who, limits, route, attempts, tokens, money'),
    async (product, [id = ''], { json }) => {
      const story = await showNamed(product, id);
      return json ? story : withoutEmptyTerms(story);
    },
  );
  addCommand(
    request
      .command('list')
      .option('--account <account>', NAMED_ACCOUNT)
      .option('--channel <channel>', 'those that it answered: its id or its name')
      .option('--model <model>', 'the model that was really used')
      .option('--key <id>', 'the API key that was used')
      .option('--failed', 'only those that failed', false)
      .option('--running', 'those of --account that have not ended, the oldest first', false)
      .option('--error-code <code>', 'such as UPSTREAM_ERROR')
      .option('--client-request-id <id>', 'what the client sent as X-Request-Id')
      .option('--start <time>', 'such as 2026-01-31T03:00:00Z, inclusive')
      .option('--end <time>', 'exclusive')
      .option('--limit <count>', LIMIT_HELP, readLimit, '50')
      .description(
        'finished requests, newest first; of those that were refused the command refusals tells',
      ),
    async (product, _, options) => {
      const { json, running } = options;
      const found = running
        ? await listRunning(product, options, progress)
        : await listRequests(product, options, progress);
      return json ? found : found.map(toRow);
    },
    ['id', 'started_at', 'status', 'error_code', 'requested_model', 'latency_ms', 'charge'],
  );
}

/** What only a request has that ended, and what only one has that runs. */
type Row = Partial<Pick<OperatorRequestStory, 'end_reason' | 'error_code' | 'status'>> &
  Partial<Pick<RunningRequests['items'][number], 'running_ms'>>;

/** Whoever reads a table wants to know why one failed, also where its client left. */
function toRow(listed: Listed & Row): object {
  const { end_reason, error_code, running_ms, status } = listed;
  if (running_ms !== undefined) return { ...listed, status: 'running', latency_ms: running_ms };
  return status === 'failed' ? { ...listed, error_code: error_code ?? end_reason } : listed;
}

/** Those that no vendor was asked for: a part of them is kept, for a day. */
export function addRefusals(
  refusals: Command,
  addCommand: AddCommand,
  { progress }: Pick<CommandDependencies, 'progress'>,
): void {
  addCommand(
    refusals
      .option('--account <account>', NAMED_ACCOUNT)
      .option('--key <id>', 'those of one API key')
      .option('--code <code>', 'such as RATE_LIMIT_EXCEEDED')
      .option('--since <time>', 'such as 2026-01-31T03:00:00Z', readTime)
      .option('--limit <count>', LIMIT_HELP, readLimit, '50')
      .description(
        'requests that were refused before a vendor was asked, newest first; of a burst a part is ' +
          'kept, for a day, and the log of the gateway has all',
      ),
    async (product, _, options) => {
      const found = await listRefusals(product, options, progress);
      return options.json ? found : found.map(withResembled);
    },
    ['id', 'at', 'error_code', 'requested_model', 'account_id', 'key_id', 'address', 'message'],
  );
}

type ListedRefusal = Listed &
  Pick<OperatorRefusedRequest, 'at' | 'error_code' | 'key_id' | 'message'> &
  /** Absent from an older gateway. */
  Partial<Pick<OperatorRefusedRequest, 'resembles'>>;

/** Whose key was meant is only likely: so it stands in the message, not among the ids. */
function withResembled({ resembles, ...listed }: ListedRefusal): object {
  if (!resembles) return listed;
  const { account_id, account_name, key_name } = resembles;
  const message = `${listed.message} Begins like "${key_name}" of ${account_name ?? account_id}.`;
  return { ...listed, message };
}

/** Pages of all accounts that are looked at for those that resemble a key of one account. */
const RESEMBLING_PAGES_MAX = 5;

/** Refusals of an account, and those of no known key that begin like a key of it; newest first. */
async function listRefusals(
  product: Product,
  options: Readonly<Record<string, string | boolean>>,
  progress: (sentence: string) => void,
): Promise<readonly ListedRefusal[]> {
  const { account, code, key, limit, since } = options as Readonly<Record<string, string>>;
  const isAsked = ({ error_code, key_id, resembles }: ListedRefusal) =>
    (code === undefined || error_code === code.toUpperCase()) &&
    (key === undefined || key === (key_id ?? resembles?.key_id));
  const sought = { isAsked, count: Number(limit), since };
  if (!account) return (await findRefusals(product, sought)).found;
  const accountId = await findAccount(product, account);
  const own = await findRefusals(product, {
    ...sought,
    filter: `&account_id=${encodeURIComponent(accountId)}`,
  });
  const resembling = await findRefusals(product, {
    ...sought,
    isAsked: (one) => one.resembles?.account_id === accountId && isAsked(one),
    pagesMax: RESEMBLING_PAGES_MAX,
  });
  if (!resembling.isComplete) {
    const looked = `the newest ${RESEMBLING_PAGES_MAX * PAGE_SIZE_MAX} refused requests of all`;
    progress(`for those that only resemble a key of the account, ${looked} were looked at`);
  }
  const both = [...own.found, ...resembling.found];
  return both.sort((one, other) => (one.id < other.id ? 1 : -1)).slice(0, Number(limit));
}

interface SoughtRefusals extends Pick<Sought<ListedRefusal>, 'count' | 'isAsked' | 'pagesMax'> {
  readonly since: string | undefined;
  readonly filter?: string;
}

/** Key, code and time are compared here: a day has few pages. */
function findRefusals(
  product: Product,
  { filter = '', since, ...sought }: SoughtRefusals,
): Promise<Found<ListedRefusal>> {
  const sinceMs = since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(since);
  const list = `/v1/admin/refusals?limit=${PAGE_SIZE_MAX}${filter}`;
  const isYoung = ({ at }: ListedRefusal) => Date.parse(at) >= sinceMs;
  return findInPages(eachPage<ListedRefusal>(product, list), { ...sought, isYoung });
}

async function listRequests(
  product: Product,
  options: Readonly<Record<string, string | boolean>>,
  progress: (sentence: string) => void,
): Promise<readonly Listed[]> {
  const { account, channel, clientRequestId, end, errorCode, failed, key, limit, model, start } =
    options as Readonly<Record<string, string>>;
  const asked = {
    account_id: account && (await findAccount(product, account)),
    channel_id: channel && (await findChannel(product, channel)).id,
    model,
    key_id: key,
    status: failed ? 'failed' : undefined,
    error_code: errorCode,
    client_request_id: clientRequestId,
    start,
    end,
  };
  const filters = Object.entries(asked).flatMap(([name, value]) =>
    value === undefined ? [] : [`&${name}=${encodeURIComponent(value)}`],
  );
  const { found, isComplete } = await findAtMost(product, filters.join(''), Number(limit));
  requireCalled(found, clientRequestId);
  if (isComplete) return found;
  if (found.length === 0) throw new Error(`found none, but ${STOPPED}: give --start and --end`);
  progress(`${STOPPED}: give --start and --end for more`);
  return found;
}

/** What runs is told beside the balance, because it holds what is reserved. */
async function listRunning(
  product: Product,
  options: Readonly<Record<string, string | boolean>>,
  progress: (sentence: string) => void,
): Promise<readonly (Listed & Row)[]> {
  const { account, channel, clientRequestId, end, errorCode, failed, key, limit, model, start } =
    options as Readonly<Record<string, string>>;
  const others = [channel, clientRequestId, end, errorCode, failed, key, model, start];
  if (!account || others.some((other) => other)) {
    throw new Error('--running lists the requests of an --account, and goes with --limit alone');
  }
  const one = `/v1/admin/accounts/${encodeURIComponent(await findAccount(product, account))}`;
  const { running } = (await product.ask(`${one}/balance?audit=true`)) as {
    readonly running?: RunningRequests | null;
  };
  if (!running) throw new Error('what runs cannot be told now, or the gateway is older');
  const { count, items, silent } = running;
  const shown = items.slice(0, Number(limit));
  if (count > shown.length) progress(`${count - shown.length} more run`);
  if (silent.length > 0) progress(`${silent.join(', ')} did not say what runs there`);
  return shown;
}

/** A page whose filter refuses most of what it looks at may be empty, and another follow. */
const PAGES_MAX = 20;
const STOPPED = `looked at the newest ${PAGES_MAX} pages of requests only`;

function findAtMost(product: Product, filters: string, count: number): Promise<Found<Listed>> {
  const list = `/v1/admin/requests?limit=${count}${filters}`;
  return findInPages(eachPage(product, list), { count, pagesMax: PAGES_MAX });
}

interface Found<Item> {
  readonly found: readonly Item[];
  /** False when it stopped before the end, with fewer than were asked for. */
  readonly isComplete: boolean;
}

interface Sought<Item> {
  readonly count: number;
  readonly pagesMax?: number;
  readonly isAsked?: (item: Item) => boolean;
  /** The first item that is not is the end of the list. */
  readonly isYoung?: (item: Item) => boolean;
}

/** Reads no more pages than it takes. */
async function findInPages<Item>(
  pages: AsyncIterable<Page<Item>>,
  {
    count,
    pagesMax = Number.POSITIVE_INFINITY,
    isAsked = () => true,
    isYoung = () => true,
  }: Sought<Item>,
): Promise<Found<Item>> {
  const found: Item[] = [];
  let pagesRead = 0;
  for await (const { items, next_cursor } of pages) {
    const young = items.filter(isYoung);
    found.push(...young.filter(isAsked));
    const isEnd = next_cursor === null || young.length < items.length;
    if (isEnd || found.length >= count) break;
    pagesRead += 1;
    if (pagesRead === pagesMax) return { found, isComplete: false };
  }
  return { found: found.slice(0, count), isComplete: true };
}

function requireCalled(found: readonly Listed[], name: string | undefined): void {
  if (name === undefined || found.every((one) => one.client_request_id === name)) return;
  throw new Error(
    'requests cannot be found by what their client called them: billing is older than this ' +
      'command, and ignores it. Replace billing first',
  );
}

/** Ids of ours stand in an answer's id as well; any other name is the client's. */
const OWN_ID = /(?:^|-)req_/;
const SAME_NAME_MAX = 10;

/** As it was read out or copied: with the end of a sentence, or in small letters. */
const WRITTEN_ID = /^\s*(chatcmpl-)?req_([0-9a-z]{26})[\s.,;:)]*$/i;

async function showNamed(product: Product, written: string): Promise<object> {
  const [, before = '', rest] = WRITTEN_ID.exec(written) ?? [];
  const id = rest === undefined ? written : `${before.toLowerCase()}req_${rest.toUpperCase()}`;
  if (!OWN_ID.test(id)) return (await showCalled(product, id)) ?? showRequest(product, id);
  try {
    return await showRequest(product, id);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    // A client may call its request like one of ours.
    const called = await showCalled(product, written).catch((second: Error) => {
      throw new Error(`${error.message} As the name that a client gave: ${second.message}`);
    });
    if (called === undefined) throw error;
    return called;
  }
}

/** Undefined when no client called a request so. */
async function showCalled(product: Product, name: string): Promise<object | undefined> {
  const filter = `&client_request_id=${encodeURIComponent(name)}`;
  const { found, isComplete } = await findAtMost(product, filter, SAME_NAME_MAX);
  requireCalled(found, name);
  const [newest, ...older] = found;
  if (newest === undefined) {
    if (isComplete) return undefined;
    const advice = 'give request list --client-request-id with --start and --end';
    throw new Error(`no request is called ${name}, but ${STOPPED}: ${advice}`);
  }
  const story = await showRequest(product, newest.id);
  return older.length === 0
    ? story
    : { ...story, same_client_request_id: older.map((one) => one.id) };
}

interface WithTerms {
  readonly now?: { readonly account?: { readonly overrides?: Terms } | null } | null;
}
type Terms = NonNullable<OperatorRequestStory['now']['account']>['overrides'];

/** People would take a discount of 0 for terms of the account's own. */
function withoutEmptyTerms(story: object): object {
  const { now } = story as WithTerms;
  const terms = now?.account?.overrides;
  if (terms === undefined || hasTerms(terms)) return story;
  return { ...story, now: { ...now, account: { ...now?.account, overrides: null } } };
}

function hasTerms({ discount, groups, limits, models }: Terms): boolean {
  const given = [...groups, ...models, ...Object.keys(limits)];
  return given.length > 0 || Number(discount) !== 0;
}

/** The story, and before it what it comes to. */
async function showRequest(product: Product, id: string): Promise<object> {
  const story = (await product.ask(
    `/v1/admin/requests/${encodeURIComponent(id)}`,
  )) as DescribedRequest;
  const { failed_attempts = [], rejected = [] } = story;
  const ids = [...failed_attempts, ...rejected].map(({ channel_id: id }) => id);
  const names = await readChannelNames(product, ids);
  return { in_short: describeRequest(story, names), ...story };
}
