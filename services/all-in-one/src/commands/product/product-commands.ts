import type { AlertList } from '@tollgate/gateway';
import type { Command } from 'commander';
import { type CommandDependencies, OUTCOME_AS_JSON } from '../command';
import { readSeconds } from '../option-readers';
import { productAddressOf } from '../product-client';
import { addAccount } from './account-commands';
import { createAddCommand } from './add-command';
import { auditMoney } from './audit';
import { addChannel } from './channel-commands';
import { addCode } from './code-commands';
import { addRefusals, addRequest } from './request-commands';
import { addUser } from './user-commands';

/**
 * The commands by which an operator looks at a running product and mends it: each is a request or
 * two of the API, made with the operator key in TOLLGATE_API_KEY, and stands in the audit log.
 */
export function addProductCommands(program: Command, deps: CommandDependencies): void {
  const addCommand = createAddCommand(deps);
  addAudit(program, deps);
  addRequest(program.command('request'), addCommand, deps);
  addRefusals(program.command('refusals'), addCommand, deps);
  addAccount(program.command('account').description('accounts and their money'), addCommand);
  addCode(program.command('code'), addCommand);
  addUser(program.command('user').description('people'), addCommand, deps);
  addChannel(program.command('channel').description('the ways to vendors'), addCommand);
  const alerts = program.command('alerts').description('what wants attention now, and what to do');
  addCommand(alerts, async (product, _, { json }) => {
    const { checked_at, items } = (await product.ask('/v1/admin/alerts')) as AlertList;
    return items.length > 0 || json ? items : `nothing wants attention (looked at ${checked_at})`;
  });
}

/** It asks for part after part, tells of each, and exits with 1 when the books do not balance. */
function addAudit(program: Command, deps: CommandDependencies): void {
  const { environment, progress, finish } = deps;
  program
    .command('audit')
    .description("check every account's money through the running product")
    .option('--url <url>', 'its public address', productAddressOf(environment))
    .option('--timeout-seconds <seconds>', 'give up when it is silent so long', readSeconds, 90)
    .option('--json', OUTCOME_AS_JSON, false)
    .action(async (options: { url: string; timeoutSeconds: number; json: boolean }) => {
      const { url, timeoutSeconds, json } = options;
      const request = { url, json, timeoutMs: timeoutSeconds * 1000, progress };
      finish(await auditMoney(request, environment));
    });
}
