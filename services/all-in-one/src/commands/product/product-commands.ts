import type { Command } from 'commander';
import { type AskOptions, type CommandDependencies, OUTCOME_AS_JSON } from '../command';
import { readSeconds } from '../option-readers';
import { productAddressOf } from '../product-client';
import { addAccount } from './account-commands';
import { ANSWER_AS_JSON, createAddCommand, URL_HELP } from './add-command';
import { showAlerts } from './alerts';
import { auditMoney } from './audit';
import { addChannel } from './channel-commands';
import { addCode } from './code-commands';
import { addRefusals, addRequest } from './request-commands';
import { addUser } from './user-commands';

/**
 * The commands by which an operator looks at a running product and mends it: requests of the API,
 * made with the operator key in TOLLGATE_API_KEY. What they change stands in the audit log.
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
  addAlerts(program, deps);
}

function addAlerts(program: Command, { environment, finish }: CommandDependencies): void {
  program
    .command('alerts')
    .description(
      'what wants attention now, and what to do; exits with 1 when some of it is critical',
    )
    .option('--url <url>', URL_HELP, productAddressOf(environment))
    .option('--json', ANSWER_AS_JSON, false)
    .action(async (options: AskOptions) => {
      finish(await showAlerts(options, environment));
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
