import { randomBytes } from 'node:crypto';
import { createSystemClock, HOUR_MS } from '@tollgate/core';
import type { AlertList, StatsMetrics } from '@tollgate/gateway';
import type { Command } from 'commander';
import { addAccount } from './account-commands';
import {
  type AskOptions,
  askProduct,
  hasOperatorKey,
  type Product,
  printFailure,
  productAddressOf,
  wantOperatorKey,
} from './ask-product';
import { addCode } from './code-commands';
import { dataDirectoryOf, hasStore } from './command-host';
import { ANSWER_AS_JSON, type Define, definer, URL_HELP } from './define-command';
import {
  type DescribedChannel,
  describeChannel,
  describePace,
  describeTimeouts,
  listCooling,
  type TimeoutsInForce,
} from './describe-channel';
import {
  type Channel,
  findAccount,
  findChannel,
  findUserId,
  type Listed,
  listAll,
  listChannels,
  path,
} from './find-named';
import type { CommandDependencies } from './outcome';
import { addRefusals, addRequest } from './request-commands';
import { describeUseOfCode, type ResetPerson, resetPasswordInStore } from './reset-password';

/**
 * The commands by which an operator looks at a running product and mends it: each is a request or
 * two of the API, made with the operator key in TOLLGATE_API_KEY, and stands in the audit log.
 */
export function declareOperatorCommands(program: Command, surroundings: CommandDependencies): void {
  const define = definer(surroundings);
  addRequest(program.command('request'), define, surroundings);
  addRefusals(program.command('refusals'), define, surroundings);
  addAccount(program.command('account').description('accounts and their money'), define);
  addCode(program.command('code'), define);
  addUser(program.command('user').description('people'), define, surroundings);
  addChannel(program.command('channel').description('the ways to vendors'), define);
  const alerts = program.command('alerts').description('what wants attention now, and what to do');
  define(alerts, async (product, _, { json }) => {
    const { checked_at, items } = (await product.ask('/v1/admin/alerts')) as AlertList;
    return items.length > 0 || json ? items : `nothing wants attention (looked at ${checked_at})`;
  });
}

function addUser(user: Command, define: Define, surroundings: CommandDependencies): void {
  define(
    user
      .command('list')
      .option('--account <account>', 'those of one: its id, its name, or the email of one of them')
      .option('--email <beginning>', 'those whose email begins so, in any case')
      .description('users, newest first; with --email in the order of emails'),
    async (product, _, { account, email }) =>
      listAll(product, usersOf(account && (await findAccount(product, account)), email)),
    ['id', 'email', 'role', 'status', 'account_id', 'created_at'],
  );
  for (const [name, what] of USER_CHANGES) {
    define(
      user.command(name).argument('<user>', 'id or email').description(what),
      (product, [named = '']) => changeUser(product, named, name),
    );
  }
  const setEmail = user
    .command('set-email')
    .argument('<user>', 'id or email')
    .argument('<email>', 'you vouch for it, be it the one that the user has')
    .description(
      'changes which address a user has: a login at a provider with it joins the user, who keeps ' +
        'the password and the sessions. release-email is for an address that is not theirs',
    );
  define(setEmail, (product, [named = '', email = '']) => giveEmail(product, named, email));
  const releaseEmail = user
    .command('release-email')
    .argument('<user>', 'id or email')
    .description(
      'moves a user off an address that is not theirs, to one that nobody has: the user signs in ' +
        'with that, vouches for nobody, and keeps the password, the sessions and the keys',
    );
  define(releaseEmail, (product, [named = '']) =>
    giveEmail(product, named, `${randomBytes(RELEASED_BYTES).toString('hex')}@unverified.invalid`),
  );
  addResetPassword(user, surroundings);
}

/** Nobody guesses it. */
const RELEASED_BYTES = 12;

/** An older identity answers as if it had changed the address. */
async function giveEmail(product: Product, named: string, email: string): Promise<Listed> {
  const id = await findUserId(product, named);
  const change = { method: 'PATCH', body: { email } } as const;
  const user = (await product.ask(`/v1/admin/users/${path(id)}`, change)) as Listed;
  if (user.email?.toLowerCase() === email.trim().toLowerCase()) return user;
  throw new Error(
    `the email is still ${user.email}: identity is older than this command, and ignores it. ` +
      'Replace identity first',
  );
}

const USER_CHANGES = [
  ['disable', 'signs a person out and lets them in no more; keys they made act for nobody'],
  ['enable', 'lets a disabled person in again'],
] as const;

async function changeUser(product: Product, named: string, change: string): Promise<ChangedUser> {
  const id = await findUserId(product, named);
  const asked = product.ask(`/v1/admin/users/${path(id)}/${change}`, { method: 'POST', body: {} });
  return (await asked) as ChangedUser;
}

type ChangedUser = Partial<ResetPerson>;

const CHANNEL_CHANGES = [
  ['disable', 'disabled', 'calls its vendor no more until it is enabled'],
  ['enable', 'enabled', 'lets it be called again, also after it disabled itself'],
] as const;

function addChannel(channel: Command, define: Define): void {
  for (const [name, status, what] of CHANNEL_CHANGES) {
    define(
      channel.command(name).argument('<channel>', 'its id or its name').description(what),
      async (product, [named = '']) => {
        const { id } = await findChannel(product, named);
        const change = { method: 'PATCH', body: { status } } as const;
        return product.ask(`/v1/admin/channels/${path(id)}`, change);
      },
    );
  }
  define(
    channel
      .command('list')
      .description('each with its health, and whether it is slow and compared with what'),
    async (product) => {
      const channels = await listChannels(product);
      const off = await readDisabled(product, channels);
      return channels.map(({ id, name, type, status, disabled_reason, ...listed }) => ({
        id,
        name,
        type,
        status,
        disabled_reason: off.get(id) ?? disabled_reason,
        pace: describePace(listed),
        health: listed.health.state,
        breaker: listed.health.breaker,
        cools_down: listCooling(listed.health) || null,
        last_error: listed.health.last_error,
        last_error_at: listed.health.last_error_at,
        no_room_at: listed.health.no_room_at,
      }));
    },
    [
      'id',
      'name',
      'type',
      'status',
      'health',
      'breaker',
      'cools_down',
      'disabled_reason',
      'last_error',
      'no_room_at',
      'pace',
    ],
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
      const nowMs = createSystemClock().now();
      const [thisHour, hourBefore, yesterday] = await readFigures(product, nowMs);
      return {
        in_short: describeChannel(only, nowMs),
        ...(json ? only : toDescribed(only)),
        this_hour: toFigures(thisHour?.get(only.id)),
        hour_before: toFigures(hourBefore?.get(only.id)),
        yesterday: toFigures(yesterday?.get(only.id)),
      };
    },
  );
}

/** Of so many that a person disabled a list says who and when: each of them is asked for. */
const DISABLED_READ_MAX = 10;

/** By whom and when, by the channel's id. */
async function readDisabled(
  product: Product,
  channels: readonly Channel[],
): Promise<ReadonlyMap<string, string>> {
  const disabled = channels.filter(({ status }) => status === 'disabled');
  const read = disabled.slice(0, DISABLED_READ_MAX).map(async ({ id }) => {
    const shown = (await product.ask(`/v1/admin/channels/${path(id)}`)) as ShownChannel;
    const { at, by } = shown.switched_off ?? {};
    return at === undefined ? [] : [[id, `${by ?? 'somebody'}, ${at}`] as const];
  });
  return new Map((await Promise.all(read)).flat());
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
  const { requests, timed_out_requests, latency_ms, first_token_ms } = metrics;
  const { client_gone_requests, failed_requests } = metrics;
  const inWords = (figures: Percentiles, of: string) =>
    figures === null ? '-' : `p50 ${figures.p50}, p95 ${figures.p95}, p99 ${figures.p99} ${of}`;
  return {
    requests,
    // A client that left says nothing of the vendor.
    failed_requests: failed_requests - client_gone_requests,
    timed_out_requests,
    client_gone_requests,
    latency_ms: inWords(latency_ms, 'of those that were answered'),
    first_token_ms: inWords(first_token_ms, 'of those that began to answer'),
  };
}

/** Beside the data or the store it needs no operator key: that may be lost as well. */
function addResetPassword(user: Command, { environment, finish }: CommandDependencies): void {
  const command = user
    .command('reset-password')
    .argument('<user>', 'id or email')
    .option('--url <url>', URL_HELP, productAddressOf(environment))
    .option('--json', ANSWER_AS_JSON, false)
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
      return { ...made, use: describeUseOfCode({ user_id: named, ...made }) };
    };
    finish(await askProduct(options, environment, ask));
  });
}

function usersOf(account: string | undefined, email: string | undefined): string {
  const filter = account === undefined ? '' : `&account_id=${path(account)}`;
  const search = email === undefined ? '' : `&email=${path(email.trim())}`;
  return `/v1/admin/users?limit=200${filter}${search}`;
}

interface ShownChannel extends Channel, Pick<DescribedChannel, 'switched_off'> {
  readonly timeouts_in_force: TimeoutsInForce;
}

/** Of the calls of a channel in some time. */
type Metrics = Pick<
  StatsMetrics,
  | 'client_gone_requests'
  | 'failed_requests'
  | 'first_token_ms'
  | 'latency_ms'
  | 'requests'
  | 'timed_out_requests'
>;
type Percentiles = Metrics['latency_ms'];

interface Stats {
  readonly results: readonly {
    readonly group: { readonly channel: string };
    readonly metrics: Metrics;
  }[];
}
