import type { AlertList } from '@tollgate/gateway';
import type { Command } from 'commander';
import { addAccount } from './account-commands';
import { addChannel } from './channel-commands';
import { addCode } from './code-commands';
import { type CommandDependencies, definer } from './define-command';
import { addRefusals, addRequest } from './request-commands';
import { addUser } from './user-commands';

/**
 * The commands by which an operator looks at a running product and mends it: each is a request or
 * two of the API, made with the operator key in TOLLGATE_API_KEY, and stands in the audit log.
 */
export function declareOperatorCommands(program: Command, deps: CommandDependencies): void {
  const define = definer(deps);
  addRequest(program.command('request'), define, deps);
  addRefusals(program.command('refusals'), define, deps);
  addAccount(program.command('account').description('accounts and their money'), define);
  addCode(program.command('code'), define);
  addUser(program.command('user').description('people'), define, deps);
  addChannel(program.command('channel').description('the ways to vendors'), define);
  const alerts = program.command('alerts').description('what wants attention now, and what to do');
  define(alerts, async (product, _, { json }) => {
    const { checked_at, items } = (await product.ask('/v1/admin/alerts')) as AlertList;
    return items.length > 0 || json ? items : `nothing wants attention (looked at ${checked_at})`;
  });
}
