import { AppError, createId, isId } from '@tollgate/core';
import {
  type Account,
  type AccountStatus,
  changeAccount,
  parseGroups,
  parseName,
  parsePlan,
} from '../domain/account';
import { type Actor, requireOperator } from '../domain/actor';
import { changeRecord } from './change-record';
import type { Dependencies } from './dependencies';

export interface UpdateAccountInput {
  readonly actor: Actor;
  readonly accountId: string;
  readonly name: string | undefined;
  readonly plan: string | undefined;
  readonly status: AccountStatus | undefined;
  /** Channel groups that the account may name from now on, in place of the present ones. */
  readonly groups?: readonly string[] | undefined;
}

/** Changes name, plan, status or the granted channel groups; every gateway hears of it, and `plan.changed` is published. */
export function createUpdateAccount(deps: Pick<Dependencies, 'clock' | 'accounts' | 'relay'>) {
  const { clock, accounts, relay } = deps;
  return async (input: UpdateAccountInput): Promise<Account> => {
    const { actor, accountId, name, plan, status, groups } = input;
    requireOperator(actor);
    if (status === 'suspended' && accountId === actor.accountId) {
      throw new AppError('CONFLICT', {
        param: 'status',
        publicMessage: 'You cannot suspend your own account.',
      });
    }
    const change = {
      ...(name === undefined ? {} : { name: parseName('name', name) }),
      ...(plan === undefined ? {} : { plan: parsePlan(plan) }),
      ...(status === undefined ? {} : { status }),
      ...(groups === undefined ? {} : { groups: parseGroups(groups) }),
    };
    const updated = await changeRecord({
      load: async () => (isId('account', accountId) ? accounts.find(accountId) : undefined),
      change(account) {
        const fact = { id: createId('event'), at: clock.now(), actorUserId: actor.userId };
        return changeAccount(account, change, fact) ?? account;
      },
      write: accounts.update,
    });
    await relay.announceAccount(updated);
    return updated;
  };
}
