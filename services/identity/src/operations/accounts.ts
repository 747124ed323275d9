import {
  AppError,
  createId,
  type Idempotency,
  type Page,
  type PageRequest,
  pageById,
  parseDisplayName,
  windowOf,
  withoutUndefined,
} from '@tollgate/core';
import {
  type Account,
  type AccountStatus,
  type AccountTerms,
  changeAccount,
  changeTerms,
  DEFAULT_PLAN,
  nameKeyOf,
  ownerIdOf,
  parseGroups,
  parsePlan,
} from '../domain/account';
import { type Actor, requireOperator } from '../domain/actor';
import { changeBy } from '../domain/events';
import { emailKeyOf, type User, withoutPassword } from '../domain/user';
import { changeRecord } from './changes';
import type { Dependencies } from './dependencies';
import { findById, itemBeforePage, requireById } from './lookups';
import { type NewUser, prepareUser } from './new-user';
import { openAccount } from './open-account';

/** What operators do with accounts; `getAccount` takes no actor: the gateway asks for itself. */
export function createAccountOperations(deps: Dependencies) {
  return {
    createAccount: (input: CreateAccountInput) => createAccount(deps, input),
    getAccount: (accountId: string) => getAccount(deps, accountId),
    listAccounts: (input: ListAccountsInput) => listAccounts(deps, input),
    updateAccount: (input: UpdateAccountInput) => updateAccount(deps, input),
  };
}

export interface CreateAccountInput {
  readonly actor: Actor;
  readonly name: string;
  /** Empty means the default plan. */
  readonly plan: string;
  readonly owner: NewUser;
  readonly idempotency: Idempotency;
}

export interface CreatedAccount {
  readonly account: Account;
  readonly owner: User;
  readonly replayed: boolean;
}

/** An operator opens an account together with its owner. */
async function createAccount(
  deps: Dependencies,
  input: CreateAccountInput,
): Promise<CreatedAccount> {
  requireOperator(input.actor);
  const name = parseDisplayName('name', input.name);
  const plan = parsePlan(input.plan === '' ? DEFAULT_PLAN : input.plan);
  const { answer, replayed } = await deps.runIdempotently({
    scope: input.actor.accountId,
    operation: 'create-account',
    idempotency: input.idempotency,
    newEffectId: () => createId('account'),
    async effect(id) {
      const owner = await prepareUser(deps, input.owner, 'owner.');
      const opening = { id, name, plan, owner, ownerRole: 'owner', emailProven: true } as const;
      const opened = await openAccount(deps, opening);
      return { account: opened.account, owner: withoutPassword(opened.owner) };
    },
    async findEffect(id) {
      const account = await deps.accounts.find(id);
      const owner = await deps.users.find(ownerIdOf(id));
      return account && owner && { account, owner: withoutPassword(owner) };
    },
  });
  return { ...answer, replayed };
}

function getAccount({ accounts }: Dependencies, accountId: string): Promise<Account> {
  return requireById('account', accounts, accountId);
}

export interface ListAccountsInput {
  readonly actor: Actor;
  readonly page: PageRequest;
  /** How names begin, in upper or lower case; absent and empty are any. */
  readonly name?: string;
  /** The whole email of a user of the account; absent and empty are any. */
  readonly email?: string;
  readonly status?: AccountStatus | undefined;
}

/** Newest first; those that are looked for by name in the order of names. */
async function listAccounts(
  { accounts, users }: Dependencies,
  { actor, page, name = '', email = '', status }: ListAccountsInput,
): Promise<Page<Account>> {
  requireOperator(actor);
  const window = windowOf(page);
  const prefix = nameKeyOf(name);
  if (email !== '') {
    const user = await users.findByEmail(emailKeyOf(email));
    const account = user && (await accounts.find(user.accountId));
    const isNamed = account !== undefined && nameKeyOf(account.name).startsWith(prefix);
    const fits = isNamed && (status === undefined || account.status === status);
    return { items: fits ? [account] : [], nextCursor: '' };
  }
  if (name === '') return pageById(await accounts.list(window, status), window);
  const after = await itemBeforePage(accounts, window);
  const search = { prefix, after, limit: window.limit + 1 };
  const found = await accounts.searchByName(status === undefined ? search : { ...search, status });
  return pageById(found, window);
}

export interface UpdateAccountInput {
  readonly actor: Actor;
  readonly accountId: string;
  readonly name: string | undefined;
  readonly plan: string | undefined;
  readonly status: AccountStatus | undefined;
  /** Channel groups that the account may name from now on, in place of the present ones. */
  readonly groups?: readonly string[] | undefined;
  /** Each takes the place of what the account had of it. */
  readonly terms?: Partial<AccountTerms> | undefined;
}

/** Changes what is given; every gateway is notified, and `plan.changed` is published. */
async function updateAccount(
  { clock, accounts, relay }: Dependencies,
  input: UpdateAccountInput,
): Promise<Account> {
  const { actor, accountId, name, plan, status, groups, terms } = input;
  requireOperator(actor);
  if (status === 'suspended' && accountId === actor.accountId) {
    throw new AppError('CONFLICT', {
      param: 'status',
      publicMessage: 'You cannot suspend your own account.',
    });
  }
  const change = withoutUndefined({
    name: name === undefined ? undefined : parseDisplayName('name', name),
    plan: plan === undefined ? undefined : parsePlan(plan),
    status,
    groups: groups && parseGroups(groups),
  });
  const updated = await changeRecord({
    load: () => findById('account', accounts, accountId),
    change(account) {
      const agreed = terms === undefined ? {} : { terms: changeTerms(account.terms, terms) };
      return (
        changeAccount(account, { ...change, ...agreed }, changeBy(actor, clock.now())) ?? account
      );
    },
    write: accounts.update,
  });
  await relay.relayAccount(updated);
  return updated;
}
