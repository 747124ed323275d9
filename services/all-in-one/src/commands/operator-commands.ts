import { createSystemClock, HOUR_MS } from '@tollgate/core';
import type { Command } from 'commander';
import {
  type AskOptions,
  addressOf,
  askOnce,
  askProduct,
  hasOperatorKey,
  type Product,
  printFailure,
  wantOperatorKey,
} from './ask-product';
import { dataDirectoryOf, hasStore } from './command-host';
import { type DescribedBalance, describeMoney } from './describe-account';
import {
  describeChannel,
  describePace,
  describeTimeouts,
  type TimeoutsInForce,
} from './describe-channel';
import { type DescribedRequest, describeRequest } from './describe-request';
import {
  type Channel,
  findAccount,
  findChannel,
  findUser,
  type Listed,
  listAll,
  listChannels,
  type Page,
  path,
} from './find-named';
import type { CommandSurroundings } from './outcome';
import { describeUseOfCode, resetPasswordInStore } from './reset-password';

const URL_HELP = 'public address of the product';
const JSON_HELP = 'the answer as JSON';
const ONCE_HELP =
  'the same key again does nothing more; one is made, and told when it stays open whether it was done';
const NAMED_ACCOUNT = 'its id, its name, or the email or id of one of its users';

/**
 * The commands by which an operator looks at a running product and mends it: each is a request or
 * two of the API, made with the operator key in TOLLGATE_API_KEY, and stands in the audit log.
 */
export function declareOperatorCommands(program: Command, surroundings: CommandSurroundings): void {
  const define = definer(surroundings);
  const request = program
    .command('request')
    .argument('<request id>', 'the X-Request-Id of an answer');
  define(
    request.description('the story of one request: who, limits, route, attempts, tokens, money'),
    (product, [id]) => showRequest(product, `/v1/admin/requests/${path(id)}`),
  );
  addAccount(program.command('account').description('accounts and their money'), define);
  addUser(program.command('user').description('people'), define, surroundings);
  addChannel(program.command('channel').description('the ways to vendors'), define);
  const alerts = program.command('alerts').description('what wants attention now, and what to do');
  define(alerts, async (product, _, { json }) => {
    const { checked_at, items } = (await product.ask('/v1/admin/alerts')) as Alerts;
    return items.length > 0 || json ? items : `nothing wants attention (looked at ${checked_at})`;
  });
}

interface Alerts extends Pick<Page, 'items'> {
  readonly checked_at: string;
}

/** The story, and before it what it comes to. */
async function showRequest(product: Product, address: string): Promise<unknown> {
  const story = (await product.ask(address)) as DescribedRequest;
  return { in_short: describeRequest(story, await readNames(product, story)), ...story };
}

const NAMED_MAX = 10;

/** The names of the channels that the line speaks of; one that is gone goes by its id. */
async function readNames(
  product: Product,
  { failed_attempts = [], rejected = [] }: DescribedRequest,
): Promise<ReadonlyMap<string, string>> {
  const ids = new Set([...failed_attempts, ...rejected].map(({ channel_id: id }) => id));
  const read = [...ids].slice(0, NAMED_MAX).map(async (id) => {
    const { name = id } = (await product.ask(`/v1/admin/channels/${path(id)}`)) as Listed;
    return [id, name] as const;
  });
  const settled = await Promise.allSettled(read);
  return new Map(settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
}

/** A command that lists is given the members that a line of its table has. */
type Define = (command: Command, run: Run, columns?: readonly string[]) => void;
type Run = (
  product: Product,
  args: readonly string[],
  options: Readonly<Record<string, string>>,
) => Promise<unknown>;

/** Adds what every command has, and runs it. */
function definer({ columns: width, environment, finish }: CommandSurroundings): Define {
  return (command, run, columns) => {
    command
      .option('--url <url>', URL_HELP, addressOf(environment))
      .option('--json', JSON_HELP, false)
      .action(async () => {
        const options = command.opts<AskOptions & Record<string, string>>();
        const table = columns && { columns, width };
        const ask = (product: Product) => run(product, command.args, options);
        finish(await askProduct(options, environment, ask, table));
      });
  };
}

function addAccount(account: Command, define: Define): void {
  define(
    account.command('list').description('all accounts, newest first'),
    (product) => listAll(product, '/v1/admin/accounts?limit=200'),
    ['id', 'name', 'plan', 'status', 'created_at'],
  );
  define(
    account
      .command('show')
      .argument('<account>', NAMED_ACCOUNT)
      .description(
        'its terms, balance, whether its books add up, its last entries but charges of 0, members ' +
          'and keys',
      ),
    async (product, [named = '']) => {
      const id = path(await findAccount(product, named));
      const one = `/v1/admin/accounts/${id}`;
      const itemsOf = async (list: string) => ((await product.ask(list)) as Page).items;
      const { drift, findings, ok } = (await product.ask(
        `/v1/admin/audit?account_id=${id}`,
      )) as Audit;
      const audit = { ok, drift, findings };
      const balance = (await product.ask(`${one}/balance`)) as DescribedBalance;
      const ledger = (await itemsOf(`${one}/ledger?limit=200`)) as readonly Entry[];
      return {
        in_short: describeMoney({ balance, audit }),
        ...((await product.ask(one)) as object),
        balance,
        audit,
        ledger: ledger.filter(({ amount }) => Number(amount) !== 0).slice(0, ENTRIES_SHOWN),
        members: await itemsOf(`${one}/members`),
        keys: await itemsOf(`${one}/keys`),
      };
    },
  );
  for (const [name, kind, why] of MONEY) {
    const command = account
      .command(name)
      .argument('<account>', NAMED_ACCOUNT)
      .requiredOption('--amount <amount>', `such as ${name === 'credit' ? '10.00' : '-1.50'}`)
      .requiredOption(`--${why} <text>`, 'stands in the ledger')
      .option('--idempotency-key <key>', ONCE_HELP);
    define(
      command.description(`the balance, by an entry of the kind ${kind}`),
      async (product, [named = ''], options) => {
        const one = `/v1/admin/accounts/${path(await findAccount(product, named))}`;
        const body = { amount: options.amount, [why]: options[why] };
        const change = { method: 'POST', body } as const;
        const made = await askOnce(product, `${one}/${kind}s`, change, options.idempotencyKey);
        // It is booked, whether or not the balance can be told now.
        const now = (await product.ask(`${one}/balance`).catch(() => ({}))) as DescribedBalance;
        return { ...(made as object), balance: now.balance, available: now.available };
      },
    );
  }
  for (const [name, status] of STATUSES) {
    const command = account.command(name).argument('<account>', NAMED_ACCOUNT);
    define(command.description(`sets its status to ${status}`), async (product, [named = '']) => {
      const id = path(await findAccount(product, named));
      return product.ask(`/v1/admin/accounts/${id}`, { method: 'PATCH', body: { status } });
    });
  }
  addErase(account, define);
}

function addErase(account: Command, define: Define): void {
  const erase = account
    .command('erase')
    .argument('<account>', 'its id')
    .requiredOption('--yes', 'say that it is meant: an erased account cannot be had back')
    .option('--idempotency-key <key>', ONCE_HELP)
    .description('ends its keys and sessions, removes its people, and leaves its numbers');
  define(erase, (product, [id], { idempotencyKey }) =>
    askOnce(product, `/v1/admin/accounts/${path(id)}`, { method: 'DELETE' }, idempotencyKey),
  );
}

const ENTRIES_SHOWN = 10;

interface Entry extends Listed {
  readonly amount: string;
}

const MONEY = [
  ['credit', 'credit', 'note'],
  ['adjust', 'adjustment', 'reason'],
] as const;
const STATUSES = [
  ['suspend', 'suspended'],
  ['resume', 'active'],
] as const;

function addUser(user: Command, define: Define, surroundings: CommandSurroundings): void {
  define(
    user.command('list').option('--account <id>', 'those of one account').description('users'),
    (product, _, { account }) => listAll(product, usersOf(account)),
    ['id', 'email', 'role', 'status', 'account_id', 'created_at'],
  );
  for (const [name, what] of USER_CHANGES) {
    define(
      user.command(name).argument('<user>', 'id or email').description(what),
      (product, [named = '']) => changeUser(product, named, name),
    );
  }
  addResetPassword(user, surroundings);
}

const USER_CHANGES = [
  ['disable', 'signs a person out and lets them in no more; keys they made act for nobody'],
  ['enable', 'lets a disabled person in again'],
] as const;

async function changeUser(product: Product, named: string, change: string): Promise<ChangedUser> {
  const id = named.includes('@') ? (await findUser(product, named)).id : named;
  const asked = product.ask(`/v1/admin/users/${path(id)}/${change}`, { method: 'POST', body: {} });
  return (await asked) as ChangedUser;
}

interface ChangedUser {
  readonly user_id?: string;
  readonly user_status?: string;
}

function addChannel(channel: Command, define: Define): void {
  define(
    channel
      .command('list')
      .description('each with its health, and whether it is slow and compared with what'),
    async (product) =>
      (await listChannels(product)).map(
        ({ id, name, type, status, disabled_reason, ...listed }) => ({
          id,
          name,
          type,
          status,
          disabled_reason,
          pace: describePace(listed),
          health: listed.health.state,
          breaker: listed.health.breaker,
          last_error: listed.health.last_error,
          last_error_at: listed.health.last_error_at,
        }),
      ),
    ['id', 'name', 'type', 'status', 'health', 'breaker', 'disabled_reason', 'last_error', 'pace'],
  );
  define(
    channel
      .command('show')
      .argument('<channel>', 'its id or its name')
      .description(
        'its settings, the time-outs in force, health, whether it is slow, and its figures of this ' +
          'hour, the hour before, yesterday',
      ),
    async (product, [named = ''], { json }) => {
      const { id } = await findChannel(product, named);
      const only = (await product.ask(`/v1/admin/channels/${path(id)}`)) as ShownChannel;
      const [thisHour, hourBefore, yesterday] = await readFigures(
        product,
        createSystemClock().now(),
      );
      return {
        in_short: describeChannel(only),
        ...(json ? only : toDescribed(only)),
        this_hour: toFigures(thisHour?.get(only.id)),
        hour_before: toFigures(hourBefore?.get(only.id)),
        yesterday: toFigures(yesterday?.get(only.id)),
      };
    },
  );
}

/** Zeros that stand for a default say nothing to people: they see what holds. */
function toDescribed({ timeouts_in_force, ...channel }: ShownChannel): object {
  return { ...channel, timeouts: describeTimeouts(timeouts_in_force) };
}

const NO_CALLS = 'no calls';

/** The figures of each channel by id: of this hour, the one before and the day before. */
function readFigures(product: Product, nowMs: number) {
  const dayMs = 24 * HOUR_MS;
  const hour = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
  const day = Math.floor(nowMs / dayMs) * dayMs;
  const ranges = [
    ['hour', hour, nowMs],
    ['hour', hour - HOUR_MS, hour],
    ['day', day - dayMs, day],
  ] as const;
  return Promise.all(
    ranges.map(async ([interval, startMs, endMs]) => {
      const [start, end] = [startMs, Math.max(endMs, startMs + 1)].map((ms) =>
        new Date(ms).toISOString(),
      );
      const query = `group_by=channel&account_id=all&interval=${interval}&start=${start}&end=${end}`;
      const { results } = (await product.ask(`/v1/stats?${query}`)) as Stats;
      return new Map(results.map(({ group, metrics }) => [group.channel, metrics]));
    }),
  );
}

function toFigures(metrics: Metrics | undefined) {
  if (metrics === undefined) return NO_CALLS;
  const { requests, failed_requests, timed_out_requests, latency_ms, first_token_ms } = metrics;
  const inWords = (figures: Percentiles, of: string) =>
    figures === null ? '-' : `p50 ${figures.p50}, p95 ${figures.p95}, p99 ${figures.p99} ${of}`;
  return {
    requests,
    failed_requests,
    timed_out_requests,
    latency_ms: inWords(latency_ms, 'of those that were answered'),
    first_token_ms: inWords(first_token_ms, 'of those that began to answer'),
  };
}

/** Beside the data or the store it needs no operator key: that may be lost as well. */
function addResetPassword(user: Command, { environment, finish }: CommandSurroundings): void {
  const command = user
    .command('reset-password')
    .argument('<user>', 'id or email')
    .option('--url <url>', URL_HELP, addressOf(environment))
    .option('--json', JSON_HELP, false)
    .description(
      'makes a one-time code for a new password, shown once; without TOLLGATE_API_KEY in the store ' +
        'that MONGODB_URI or the data directory names, whether the product runs or not',
    );
  command.action(async (named: string, options: AskOptions) => {
    if (!hasOperatorKey(environment) && hasStore(environment)) {
      return finish(await resetPasswordInStore(named, options, environment));
    }
    if (!hasOperatorKey(environment)) {
      const where = `there is no data directory ${dataDirectoryOf(environment)}`;
      const reason = `${where}: TOLLGATE_DATA_DIR names another. Without one ${wantOperatorKey}`;
      return finish(printFailure(new Error(reason), options.json));
    }
    const ask = async (product: Product) => {
      const made = await changeUser(product, named, 'reset-password');
      return { ...made, use: describeUseOfCode(made.user_id ?? named, made.user_status) };
    };
    finish(await askProduct(options, environment, ask));
  });
}

function usersOf(account: string | undefined): string {
  const filter = account === undefined ? '' : `&account_id=${path(account)}`;
  return `/v1/admin/users?limit=200${filter}`;
}

interface Audit {
  readonly ok: boolean;
  readonly drift: string;
  readonly findings: readonly object[];
}

interface ShownChannel extends Channel {
  readonly timeouts_in_force: TimeoutsInForce;
}

type Percentiles = { readonly p50: number; readonly p95: number; readonly p99: number } | null;

/** Of the calls of a channel in some time. */
interface Metrics {
  readonly requests: number;
  readonly failed_requests: number;
  readonly timed_out_requests: number;
  readonly latency_ms: Percentiles;
  readonly first_token_ms: Percentiles;
}

interface Stats {
  readonly results: readonly {
    readonly group: { readonly channel: string };
    readonly metrics: Metrics;
  }[];
}
