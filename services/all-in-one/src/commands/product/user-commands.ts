import { randomBytes } from 'node:crypto';
import { PAGE_SIZE_MAX, unclaimedEmail } from '@tollgate/core';
import type { Command } from 'commander';
import type { AskOptions, CommandDependencies } from '../command';
import { failureOutcome } from '../outcome';
import {
  hasOperatorKey,
  type Listed,
  listAll,
  OPERATOR_KEY_WANTED,
  type Product,
  productAddressOf,
} from '../product-client';
import { dataDirectoryOf, hasStore } from '../stores/command-host';
import {
  describeUseOfCode,
  type ResetPerson,
  resetPasswordInStore,
} from '../stores/reset-password';
import {
  type AddCommand,
  ANSWER_AS_JSON,
  askProduct,
  NAMED_ACCOUNT,
  URL_HELP,
} from './add-command';
import { findAccount, findUserId } from './find-named';

/** Who may sign in, and with which address. */
export function addUser(user: Command, addCommand: AddCommand, deps: CommandDependencies): void {
  addCommand(
    user
      .command('list')
      .option('--account <account>', `those of one: ${NAMED_ACCOUNT}`)
      .option('--email <beginning>', 'those whose email begins so, in upper or lower case')
      .description('users, newest first; with --email in the order of emails'),
    async (product, _, { account, email }) =>
      listAll(product, usersOf(account && (await findAccount(product, account)), email)),
    ['id', 'email', 'role', 'status', 'account_id', 'created_at'],
  );
  for (const [name, what] of USER_CHANGES) {
    addCommand(
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
  addCommand(setEmail, (product, [named = '', email = '']) => giveEmail(product, named, email));
  const releaseEmail = user
    .command('release-email')
    .argument('<user>', 'id or email')
    .description(
      'moves a user off an address that is not theirs, to one that nobody has: the user signs in ' +
        'with that, vouches for nobody, and keeps the password, the sessions and the keys',
    );
  addCommand(releaseEmail, (product, [named = '']) =>
    giveEmail(product, named, unclaimedEmail(randomBytes)),
  );
  addResetPassword(user, deps);
}

/** An older identity answers as if it had changed the address. */
async function giveEmail(product: Product, named: string, email: string): Promise<Listed> {
  const id = await findUserId(product, named);
  const change = { method: 'PATCH', body: { email } } as const;
  const user = (await product.ask(`/v1/admin/users/${encodeURIComponent(id)}`, change)) as Listed;
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
  const asked = product.ask(`/v1/admin/users/${encodeURIComponent(id)}/${change}`, {
    method: 'POST',
    body: {},
  });
  return (await asked) as ChangedUser;
}

type ChangedUser = Partial<ResetPerson>;

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
      const reason = `${where}: TOLLGATE_DATA_DIR names another. Without one ${OPERATOR_KEY_WANTED}`;
      return finish(failureOutcome(new Error(reason), options.json));
    }
    const ask = async (product: Product) => {
      const made = await changeUser(product, named, 'reset-password');
      return { ...made, use: describeUseOfCode({ user_id: named, ...made }) };
    };
    finish(await askProduct(options, environment, ask));
  });
}

function usersOf(account: string | undefined, email: string | undefined): string {
  const filter = account === undefined ? '' : `&account_id=${encodeURIComponent(account)}`;
  const search = email === undefined ? '' : `&email=${encodeURIComponent(email.trim())}`;
  return `/v1/admin/users?limit=${PAGE_SIZE_MAX}${filter}${search}`;
}
