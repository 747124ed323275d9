import { randomBytes } from 'node:crypto';
import { Pool } from 'undici';
import { openAccountWithKey } from '../../support/accounts';
import { warmUp } from '../load/warm-up';
import { offer } from '../load/wrk';
import { formatTable, median } from '../report/table';
import { startTollgateInOne, type TollgateSystem } from '../systems/tollgate-in-one';
import { type Scenario, type TestBed, WHOLE } from '../test-bed';

const PROMPT_BYTES = 1_000_000;
/** Long prompts that are on their way at once. */
const SENDERS = 2;
const CREDIT = '10000.00';
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** What a tenant waits, alone and beside one that sends long prompts. */
interface LongPromptCost {
  readonly aloneP50Us: readonly number[];
  readonly besideP50Us: readonly number[];
  /** Answers to long prompts, by status. */
  readonly longAnswers: ReadonlyMap<number, number>;
}

/** Measures one tenant while another sends prompts that no tokenizer finds short words in. */
export const besideLongPrompts: Scenario = {
  about: 'what one tenant waits while another sends prompts of 1 MB',
  async run(testBed) {
    const { aloneP50Us, besideP50Us, longAnswers } = await measure(testBed);
    const [alone, beside] = [median(aloneP50Us), median(besideP50Us)];
    const answers = [...longAnswers].map(([status, times]) => `${times} × ${status}`).join(', ');
    const row = [String(alone), String(beside), (beside / alone).toFixed(2), answers];
    const table = formatTable(['p50 µs alone', 'p50 µs beside', 'ratio', 'long prompts'], [row]);
    const how =
      'One connection of one account, alone and while another account sends two prompts of 1 MB of ' +
      'random letters at a time; one process. The target is a ratio of 2 at most.';
    return { title: 'A tenant beside long prompts', markdown: `${how}\n\n${table}` };
  },
};

async function measure({ vendorUrl, options, progress }: TestBed): Promise<LongPromptCost> {
  const system = await startTollgateInOne(vendorUrl);
  try {
    const { apiKey: key } = await openAccountWithKey(system.operator, { credit: CREDIT });
    const long = { key, body: longBody() };
    const load = { ...system, body: WHOLE, connections: 1, seconds: options.seconds };
    await warmUp(system, options.warmUpSeconds);
    const [aloneP50Us, besideP50Us]: [number[], number[]] = [[], []];
    const longAnswers = new Map<number, number>();
    for (let round = 0; round < options.rounds; round += 1) {
      const alone = await offer(load);
      const stop = sendLong(system, long, longAnswers);
      const beside = await offer(load).finally(stop);
      aloneP50Us.push(alone.p50Us);
      besideP50Us.push(beside.p50Us);
      progress(`round ${round + 1}: p50 ${alone.p50Us} µs alone, ${beside.p50Us} µs beside`);
    }
    return { aloneP50Us, besideP50Us, longAnswers };
  } finally {
    await system.stop();
  }
}

function longBody(): string {
  const letters = Array.from(randomBytes(PROMPT_BYTES), (byte) => LETTERS[byte % LETTERS.length]);
  const messages = [{ role: 'user', content: letters.join('') }];
  return JSON.stringify({ model: 'bench', messages, max_tokens: 100 });
}

/** Sends one long prompt after the other until it is stopped. */
function sendLong(
  { url }: TollgateSystem,
  { key, body }: { readonly key: string; readonly body: string },
  answers: Map<number, number>,
): () => Promise<void> {
  const { origin, pathname: path } = new URL(url);
  const pool = new Pool(origin, { connections: SENDERS });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  let stopped = false;
  const send = async () => {
    while (!stopped) {
      const answer = await pool.request({ method: 'POST', path, headers, body });
      await answer.body.dump();
      answers.set(answer.statusCode, (answers.get(answer.statusCode) ?? 0) + 1);
    }
  };
  const running = Promise.all(Array.from({ length: SENDERS }, send));
  running.catch(() => {});
  return async () => {
    stopped = true;
    await running;
    await pool.close();
  };
}
