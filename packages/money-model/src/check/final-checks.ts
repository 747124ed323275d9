import {
  type ChargeEntry,
  createStatementOperations,
  type Statement,
  type StatementStore,
} from '@tollgate/billing/model-api';
import { minNano, nano, priceOf, type TokenCounts } from '@tollgate/core';
import type { GivenCredit } from '../come-to-rest';
import type { ScriptedUsage } from '../workload/vendor-script';
import {
  COMPLETION_TOKENS_MAX,
  lastScriptOf,
  type ModelRequest,
  promptTokensOf,
  textTokensOf,
} from '../workload/workload';
import type { Simulation } from '../world/simulation';
import type { PlantedBug } from './planted-bug';

/** Whether completion takes the vendor's word. */
function isBelieved(
  usage: ScriptedUsage,
  received: number,
  { asks, choices }: ModelRequest,
): boolean {
  const completionMax = asks === 'vectors' ? 0 : COMPLETION_TOKENS_MAX * choices;
  if (!Number.isInteger(usage.prompt) || usage.prompt < 1) return false;
  if (usage.completion < 0 || usage.completion > completionMax) return false;
  return usage.completion > 0 || received === 0;
}

/** A prompt below this is covered by every reservation. */
function promptEstimateOf(request: ModelRequest): number {
  return request.asks === 'image' ? promptTokensOf(request) : 2 * promptTokensOf(request);
}

/** The price of the tokens for this request; own channels cost nothing. */
function amountOf(request: ModelRequest, tokens: TokenCounts): bigint {
  const { choices, costMax, maxTokens, own, observed } = request;
  if (own) return 0n;
  const price = priceOf(observed.prices, tokens);
  const isCovered =
    costMax === undefined &&
    tokens.prompt <= promptEstimateOf(request) &&
    tokens.completion <= (request.asks === 'vectors' ? 0 : choices * (maxTokens ?? 0));
  return isCovered ? price : minNano(price, nano(observed.reserved));
}

type PromptCounts = Omit<TokenCounts, 'completion'>;

function countedPrompt(request: ModelRequest): PromptCounts {
  return { prompt: promptTokensOf(request), cached: 0 };
}

/** The prompt as the vendor counts it, when completion believes it. */
function vendorsPrompt(usage: ScriptedUsage | undefined): readonly PromptCounts[] {
  if (usage === undefined || !Number.isInteger(usage.prompt) || usage.prompt < 1) return [];
  const { completion: _, ...prompt } = usageTokens(usage);
  return [prompt];
}

/** The same where the vendor of a stream said it before the text. */
function promptToldFirst(request: ModelRequest): PromptCounts | undefined {
  const script = lastScriptOf(request);
  const isTold = request.stream && script?.countsPromptFirst === true;
  return isTold ? vendorsPrompt(script.usage)[0] : undefined;
}

function countedAmount(request: ModelRequest, completion: number): bigint {
  const prompt = promptToldFirst(request) ?? countedPrompt(request);
  return amountOf(request, { ...prompt, completion });
}

/** The amounts that a request may be charged, judged by what its client got. */
function allowedAmounts(request: ModelRequest): (amount: bigint) => boolean {
  const { observed, stream } = request;
  const script = lastScriptOf(request);
  const text = textTokensOf(script);
  const exact =
    script?.usage === undefined ? undefined : amountOf(request, usageTokens(script.usage));
  switch (observed.outcome?.kind) {
    case 'answered': {
      const counted = countedAmount(request, text);
      const { usage } = script ?? {};
      const isExact = usage !== undefined && isBelieved(usage, text, request);
      return (amount) => amount === (isExact ? exact : counted);
    }
    case 'refused':
    case 'failed':
      return (amount) => amount === 0n;
    default: {
      // Cut, or its process died: between the last durable checkpoint and what was written, with the
      // prompt as we count it or, when its count came before the cut, as the vendor does.
      const most = stream ? Math.min(text, observed.delivered) : 0;
      const isBetween = (amount: bigint, prompt: PromptCounts) => {
        const of = (completion: number) => amountOf(request, { ...prompt, completion });
        const least = observed.checkpointed > 0 ? of(observed.checkpointed) : 0n;
        return amount >= least && amount <= (stream ? of(most) : 0n);
      };
      const prompts = [countedPrompt(request), ...vendorsPrompt(script?.usage)];
      const whole = [exact, countedAmount(request, text)];
      // An END that was durable before its process died stands, though its last byte never left.
      return (amount) =>
        prompts.some((prompt) => isBetween(amount, prompt)) || whole.includes(amount);
    }
  }
}

/** What is charged: what was thought or was audio costs what other tokens do. */
function usageTokens({ prompt, completion, ...usage }: ScriptedUsage): TokenCounts {
  const count = (value: number) => (Number.isInteger(value) && value >= 0 ? value : 0);
  const promptTokens = count(prompt);
  const cached = Math.min(count(usage.cached), promptTokens);
  return {
    prompt: promptTokens,
    completion: count(completion),
    cached,
    cacheWrite: Math.min(count(usage.cacheWrite), promptTokens - cached),
  };
}

/** One charge entry of one request against everything that was observed of it. */
function checkCharge(request: ModelRequest, entry: ChargeEntry, report: (text: string) => void) {
  const { requestId, clientRequestId, costMax, observed } = request;
  const due = entry.amount + entry.absorbed;
  const [end] = observed.ends;
  if (clientRequestId !== undefined) {
    if (entry.settledReason !== 'refused' || due !== 0n) report(`${requestId} was not refused`);
    return;
  }
  if (entry.settledReason === 'refused') report(`${requestId} was refused`);
  if (costMax !== undefined && due > costMax) {
    report(`${requestId} was charged ${due}, its client allowed ${costMax}`);
  }
  if (entry.settledReason === 'settled' && entry.absorbed > 0n) {
    report(`${requestId}: ${entry.absorbed} was absorbed though nothing was lost`);
  }
  if (end !== undefined && due !== end.amount) {
    report(`${requestId} was charged ${due}, its record says ${end.amount}`);
  }
  checkDetails(request, entry, report);
  checkCacheOfCut(request, entry, report);
  if (!allowedAmounts(request)(due)) {
    const { outcome, delivered, reserved, checkpointed } = observed;
    const kind = outcome?.kind ?? 'nothing';
    const facts = `${kind}, delivered ${delivered}, checkpoint ${checkpointed}, reserved ${reserved}`;
    report(`${requestId} was charged ${due}: ${facts}`);
  }
  if (
    observed.outcome !== undefined &&
    'amount' in observed.outcome &&
    observed.outcome.amount > 0n
  ) {
    const told = observed.outcome.amount;
    if (told !== due) report(`${requestId} was charged ${due}, its client was told ${told}`);
  }
}

/** The record tells how much was thought and was audio, as the vendor did. */
function checkDetails(request: ModelRequest, entry: ChargeEntry, report: (text: string) => void) {
  const { requestId, observed } = request;
  const script = lastScriptOf(request);
  const text = textTokensOf(script);
  const { usage } = script ?? {};
  if (observed.outcome?.kind !== 'answered' || usage === undefined) return;
  if (!isBelieved(usage, text, request)) return;
  const { completionAudioTokens, promptAudioTokens, reasoningTokens } = entry.record;
  const details = [
    ['thought', reasoningTokens, Math.min(usage.reasoning, usage.completion)],
    ['heard', promptAudioTokens, Math.min(usage.promptAudio, usage.prompt)],
    ['spoke', completionAudioTokens, Math.min(usage.completionAudio, usage.completion)],
  ] as const;
  for (const [verb, recorded = 0, expected] of details) {
    if (recorded === expected) continue;
    report(`${requestId} ${verb} ${expected}, its record says ${recorded}`);
  }
}

/** A cut answer is charged what its vendor put into its cache, where it had said so before the cut. */
function checkCacheOfCut(
  request: ModelRequest,
  entry: ChargeEntry,
  report: (text: string) => void,
) {
  const { requestId, observed } = request;
  if (observed.outcome?.kind !== 'cut' || observed.outcome.amount === 0n) return;
  const prompt = promptToldFirst(request);
  if (prompt === undefined) return;
  const written = entry.record.cacheWriteTokens ?? 0;
  const expected = prompt.cacheWrite ?? 0;
  if (written === expected) return;
  report(`${requestId} put ${expected} into a cache, its record says ${written}`);
}

/** The id under which a request's charge stands in the ledger. */
function ledgerIdOf({ clientRequestId, requestId, observed }: ModelRequest): string {
  const [end] = observed.ends;
  if (clientRequestId === undefined || end === undefined) return requestId;
  return `unreadable:${end.lease}:${end.number}`;
}

/** Every request that began is in the ledger once, and nothing else is. */
function checkRequests(simulation: Simulation): void {
  const { completions, replicas, requests, invariants } = simulation;
  const charges = new Map<string, ChargeEntry[]>();
  for (const [accountId, entries] of replicas.ledger) {
    for (const entry of entries.values()) {
      if (entry.kind !== 'charge') continue;
      const id = `${accountId} ${entry.record.requestId}`;
      charges.set(id, [...(charges.get(id) ?? []), entry]);
    }
  }
  const isDestroyed = (spoolId: string | undefined) =>
    completions.some((machine) => machine.destroyed && machine.spoolId === spoolId);
  for (const request of requests.values()) {
    const id = `${request.accountId} ${ledgerIdOf(request)}`;
    const found = charges.get(id) ?? [];
    charges.delete(id);
    const { beginDurable, sentTo } = request.observed;
    if (found.length > 1) invariants.report(`${id} was charged ${found.length} times`);
    if (found.length === 0 && beginDurable && !isDestroyed(sentTo?.spoolId))
      invariants.report(`${id} was never charged`);
    const [entry] = found;
    if (entry !== undefined) checkCharge(request, entry, invariants.report);
  }
  for (const id of charges.keys()) invariants.report(`${id} was charged and never asked for`);
}

/** Every asked or claimed amount is granted once, however often it was asked for. */
function checkCredits({ replicas, invariants }: Simulation, givenCredit: GivenCredit): void {
  for (const [accountId, asked] of givenCredit) {
    const claimed = [...replicas.claims.values()]
      .filter((claim) => claim.accountId === accountId)
      .reduce((sum, { amount }) => sum + amount, 0n);
    const given = asked + claimed;
    const granted = replicas.accounts.get(accountId)?.granted ?? 0n;
    if (granted !== given) invariants.report(`${accountId} was granted ${granted}, not ${given}`);
  }
}

/**
 * The statements of every account say what its ledger does, month by month and without a gap, also
 * when two ask for them at once.
 */
async function checkStatements(
  simulation: Simulation,
  wrap: PlantedBug['statementStore'],
): Promise<void> {
  const { replicas, invariants } = simulation;
  const billing = simulation.anyBilling();
  if (billing === undefined) return;
  const { listLedger } = billing.operations;
  const own = createStatements();
  const statements = wrap?.(own) ?? own;
  const operations = createStatementOperations({ statements, listLedger });
  for (const [accountId, entries] of replicas.ledger) {
    await Promise.all([operations.list(accountId), operations.list(accountId)]);
    const found = [...(await operations.list(accountId))].reverse();
    const sums = { credit: 0n, adjustment: 0n, charge: 0n };
    for (const entry of entries.values()) sums[entry.kind] += entry.amount;
    found.forEach((_, index) => {
      invariants.meet(index === 0 ? 'statement' : 'statement of a further month');
    });
    let balance = 0n;
    for (const { month, opening, credits, adjustments, charges, closing } of found) {
      if (opening !== balance) invariants.report(`${accountId}: ${month} opens with ${opening}`);
      balance = closing;
      sums.credit -= credits;
      sums.adjustment -= adjustments;
      sums.charge -= charges;
    }
    const left = Object.entries(sums).filter(([, sum]) => sum !== 0n);
    if (left.length > 0) invariants.report(`${accountId}: its statements lack ${left.join()}`);
    const account = replicas.accounts.get(accountId);
    const due = (account?.granted ?? 0n) - (account?.posted ?? 0n);
    if (balance !== due) invariants.report(`${accountId}: its statements close with ${balance}`);
  }
}

/** Statements in memory, with the guard that stores keep. */
function createStatements(): StatementStore {
  const kept = new Map<string, Statement>();
  const newestFirst = (accountId: string) =>
    [...kept.values()]
      .filter((statement) => statement.accountId === accountId)
      .sort((a, b) => (a.month < b.month ? 1 : -1));
  return {
    list: async (accountId) => newestFirst(accountId),
    find: async (accountId, month) => kept.get(`${accountId} ${month}`),
    newest: async (accountId) => newestFirst(accountId)[0],
    async keep(statement, fromSeq) {
      const id = `${statement.accountId} ${statement.month}`;
      if (kept.get(id)?.throughSeq !== fromSeq) return false;
      kept.set(id, statement);
      return true;
    },
    async dropBeyond(accountId, seq) {
      for (const { month, throughSeq } of newestFirst(accountId)) {
        if (throughSeq > seq) kept.delete(`${accountId} ${month}`);
      }
    },
  };
}

/** After a schedule has come to rest: requests, credits, and the product's own audit. */
export async function checkEverything(
  simulation: Simulation,
  given: GivenCredit,
  statementStore: PlantedBug['statementStore'],
): Promise<void> {
  checkRequests(simulation);
  checkCredits(simulation, given);
  await checkStatements(simulation, statementStore);
  const report = await simulation.anyBilling()?.operations.audit();
  for (const { accountId, rule, detail } of report?.findings ?? []) {
    simulation.invariants.report(`audit: ${accountId}: ${rule}: ${detail}`);
  }
  if (report === undefined || !report.ok) simulation.invariants.report('the audit does not hold');
}
