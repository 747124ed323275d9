import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { type AskOptions, askProduct, type Product } from './ask-product';
import type { CommandSurroundings } from './outcome';

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
    (product, [id]) => tellRequest(product, `/v1/admin/requests/${path(id)}`),
  );
  addAccount(program.command('account').description('accounts and their money'), define);
  addUser(program.command('user').description('people'), define);
}

/** A request that no vendor was asked for has no story but why it was refused. */
async function tellRequest(product: Product, address: string): Promise<unknown> {
  try {
    return await product.ask(address);
  } catch (error) {
    return product.ask(`${address}/refusal`).catch(() => Promise.reject(error));
  }
}

type Define = (command: Command, run: Run) => void;
type Run = (
  product: Product,
  args: readonly string[],
  options: Readonly<Record<string, string>>,
) => Promise<unknown>;

/** Adds what every command has, and runs it. */
function definer({ environment, finish }: CommandSurroundings): Define {
  return (command, run) => {
    command
      .option('--url <url>', 'public address of the product', 'http://127.0.0.1:8080')
      .option('--json', 'the answer as JSON', false)
      .action(async () => {
        const options = command.opts<AskOptions & Record<string, string>>();
        finish(
          await askProduct(options, environment, (asked) => run(asked, command.args, options)),
        );
      });
  };
}

function addAccount(account: Command, define: Define): void {
  define(account.command('list').description('all accounts, newest first'), (product) =>
    listAll(product, '/v1/admin/accounts?limit=200'),
  );
  define(
    account.command('show').argument('<account>').description('its terms, balance, members, keys'),
    async (product, [id]) => {
      const one = `/v1/admin/accounts/${path(id)}`;
      return {
        ...((await product.ask(one)) as object),
        balance: await product.ask(`${one}/balance`),
        members: await product.ask(`${one}/members`),
        keys: await product.ask(`${one}/keys`),
      };
    },
  );
  for (const [name, kind, why] of MONEY) {
    const command = account
      .command(name)
      .argument('<account>')
      .requiredOption('--amount <amount>', `such as ${name === 'credit' ? '10.00' : '-1.50'}`)
      .requiredOption(`--${why} <text>`, 'stands in the ledger')
      .option('--idempotency-key <key>', 'the same key again does nothing more; one is made');
    define(
      command.description(`the balance, by an entry of the kind ${kind}`),
      (product, [id], options) =>
        product.ask(`/v1/admin/accounts/${path(id)}/${kind}s`, {
          method: 'POST',
          body: { amount: options.amount, [why]: options[why] },
          headers: { 'idempotency-key': options.idempotencyKey ?? randomUUID() },
        }),
    );
  }
  for (const [name, status] of STATUSES) {
    const command = account.command(name).argument('<account>');
    define(command.description(`sets its status to ${status}`), (product, [id]) =>
      product.ask(`/v1/admin/accounts/${path(id)}`, { method: 'PATCH', body: { status } }),
    );
  }
  addErase(account, define);
}

function addErase(account: Command, define: Define): void {
  const erase = account
    .command('erase')
    .argument('<account>')
    .requiredOption('--yes', 'it cannot be taken back')
    .option('--idempotency-key <key>', 'the same key again does nothing more; one is made')
    .description('ends its keys and sessions, removes its people, and leaves its numbers');
  define(erase, (product, [id], { idempotencyKey = randomUUID() }) =>
    product.ask(`/v1/admin/accounts/${path(id)}`, {
      method: 'DELETE',
      headers: { 'idempotency-key': idempotencyKey },
    }),
  );
}

const MONEY = [
  ['credit', 'credit', 'note'],
  ['adjust', 'adjustment', 'reason'],
] as const;
const STATUSES = [
  ['suspend', 'suspended'],
  ['resume', 'active'],
] as const;

function addUser(user: Command, define: Define): void {
  define(
    user.command('list').option('--account <id>', 'those of one account').description('users'),
    (product, _, { account }) => listAll(product, usersOf(account)),
  );
  define(
    user
      .command('reset-password')
      .argument('<user>', 'id or email')
      .description('makes a one-time code for POST /v1/users/reset-password; it is shown once'),
    async (product, [named = '']) => {
      const id = named.includes('@') ? await findUser(product, named) : named;
      const change = { method: 'POST', body: {} } as const;
      return product.ask(`/v1/admin/users/${path(id)}/reset-password`, change);
    },
  );
}

function usersOf(account: string | undefined): string {
  const filter = account === undefined ? '' : `&account_id=${path(account)}`;
  return `/v1/admin/users?limit=200${filter}`;
}

async function findUser(product: Product, email: string): Promise<string> {
  const users = await listAll(product, usersOf(undefined));
  const found = users.find((user) => user.email.toLowerCase() === email.toLowerCase());
  if (found === undefined) throw new Error(`there is no user of the email ${email}`);
  return found.id;
}

interface Listed {
  readonly id: string;
  readonly email: string;
}

/** Every page of a list. */
async function listAll(product: Product, first: string): Promise<readonly Listed[]> {
  const items: Listed[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const from = cursor === '' ? '' : `&cursor=${path(cursor)}`;
    const page = (await product.ask(`${first}${from}`)) as {
      readonly items: readonly Listed[];
      readonly next_cursor: string | null;
    };
    items.push(...page.items);
    cursor = page.next_cursor;
  }
  return items;
}

function path(text: string | undefined): string {
  return encodeURIComponent(text ?? '');
}
