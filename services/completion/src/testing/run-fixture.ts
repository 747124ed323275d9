import {
  type AppError,
  type Clock,
  type ModelKind,
  type Nano,
  nano,
  silentLogger,
  type UsageRecord,
} from '@tollgate/core';
import { LeaseManager } from '../credit/lease-manager';
import type {
  AnswerPiece,
  VendorCall,
  VendorCompletion,
  VendorFailure,
  VendorPort,
  VendorStream,
} from '../domain/vendor';
import { aborted } from '../domain/vendor-failures';
import { createAbandonedWork } from '../operations/abandoned-work';
import { createActiveRuns } from '../operations/active-runs';
import { createPromptRoom } from '../operations/prompt-room';
import type { AnswerHead, AnswerUsage, CompletionRequest } from '../operations/request';
import { createRetryBudget } from '../operations/retries';
import type { RunDependencies } from '../operations/run';
import { type StreamOutput, streamCompletion } from '../operations/stream';
import { createTieBreakers } from '../operations/to-route-query';
import type { Candidate } from '../routing/candidate';
import { createRouteTable } from '../routing/route-table';
import { createFakeBilling } from './fake-billing';
import { createMemoryDisk, openMemorySpool } from './memory-disk';
import { createUnreadMetrics } from './unread-metrics';
import { exampleCall } from './vendor-call';

const PROMPT_BYTES_MAX = 1 << 26;

/** A stream whose vendor is the test itself. */
class FakeVendorStream implements VendorStream {
  #waiting: AnswerPiece[] = [];
  #taker: PromiseWithResolvers<readonly AnswerPiece[] | undefined> | undefined;
  #end: { readonly failure: VendorFailure | undefined } | undefined;

  /** Nobody asks for more: a real vendor would be paused when enough waits. */
  get paused(): boolean {
    return this.#taker === undefined;
  }

  async next(): Promise<readonly AnswerPiece[] | undefined> {
    if (this.#waiting.length > 0) return this.#waiting.splice(0);
    if (this.#end === undefined) {
      this.#taker = Promise.withResolvers();
      return this.#taker.promise;
    }
    if (this.#end.failure !== undefined) throw this.#end.failure;
    return undefined;
  }

  /** The vendor sends. */
  send(...pieces: readonly AnswerPiece[]): void {
    if (this.#taker === undefined) this.#waiting.push(...pieces);
    else this.#taker.resolve(pieces);
    this.#taker = undefined;
  }

  /** The one end of the answer: complete, or cut by the failure. */
  end(failure?: VendorFailure): void {
    this.#end ??= { failure };
    if (failure === undefined) this.#taker?.resolve(undefined);
    else this.#taker?.reject(failure);
    this.#taker = undefined;
  }
}

/** Vendors that give the answers of the test, in the order of the calls. */
class FakeVendors implements VendorPort {
  readonly calls: VendorCall[] = [];
  /** Tokens of the streams whose speed was noted. */
  readonly speeds: number[] = [];
  readonly answers: (FakeVendorStream | VendorCompletion | Error)[] = [];
  readonly healthOf = () => ({ obstacle: undefined, firstTokenMs: undefined });

  async complete(call: VendorCall): Promise<VendorCompletion> {
    return this.#next(call) as VendorCompletion;
  }

  async stream(call: VendorCall, signal: AbortSignal): Promise<VendorStream> {
    const stream = this.#next(call) as FakeVendorStream;
    signal.addEventListener('abort', () => stream.end(aborted(true)), { once: true });
    return stream;
  }

  setChannels(): void {}
  noteSpeed(_candidate: Candidate, tokens: number): void {
    this.speeds.push(tokens);
  }
  noteRejected(): void {}
  lateFirstTokenMs(): undefined {}

  #next(call: VendorCall): FakeVendorStream | VendorCompletion {
    this.calls.push(call);
    call.onTurn();
    const answer = this.answers.shift();
    if (answer === undefined) throw new Error('the test has no answer for this call');
    if (answer instanceof Error) throw answer;
    return answer;
  }
}

/** Remembers what left, and when it was asked to wait. */
class FakeStreamOutput implements StreamOutput {
  readonly left: string[] = [];
  failure: AppError | undefined;
  usage: AnswerUsage | undefined;
  amount: Nano | undefined;
  flowing = true;
  #drained = Promise.withResolvers<void>();

  head(head: AnswerHead): void {
    this.left.push(`head ${head.model} ${head.attempts}`);
  }

  chunk(choices: readonly Buffer[]): boolean {
    this.left.push(...choices.map((each) => each.toString()));
    return this.flowing;
  }

  drained(): Promise<void> {
    return this.#drained.promise;
  }

  /** The reader takes more. */
  drain(): void {
    this.flowing = true;
    this.#drained.resolve();
  }

  end(usage: AnswerUsage, amount: Nano, failure: AppError | undefined): void {
    this.left.push('end');
    this.usage = usage;
    this.amount = amount;
    this.failure = failure;
  }
}

/** Text as a piece; the pieces that end a good answer. */
export const textPiece = (text: string): AnswerPiece => ({
  kind: 'delta',
  choices: Buffer.from(text),
  text,
});
export const FINISH_PIECE = {
  kind: 'finish',
  choices: Buffer.from('finish'),
  reason: 'stop',
} satisfies AnswerPiece;

/** A whole answer, with the vendor's counts. */
export function wholeAnswer(prompt: number, completion: number, text = 'Hi') {
  const usage = { prompt, completion, cached: 0 };
  return { choices: Buffer.from('[]'), text, finishReason: 'stop' as const, usage };
}

/** What differs between fixtures. */
interface RunFixtureOptions {
  readonly channels?: number;
  /** Of the model; it answers chats by default. */
  readonly kind?: ModelKind;
  /** Of each channel. */
  readonly capabilities?: readonly string[];
  /** Requests of one account that may wait for credit. */
  readonly waitersMax?: number;
  /** A disk in memory copies a segment with each write: many requests want short ones. */
  readonly segmentBytesMax?: number;
}

const NEVER_IDLE_BOUNDS = {
  idlePoorMs: 1e6,
  idleRichMs: 1e6,
  slowPaceMs: 1e6,
  refusalMs: 1000,
  lookAfterMs: 500,
};

/** The real run, leases and spool over a disk in memory, a fake billing and fake vendors. */
export async function createRunFixture(clock: Clock, options: RunFixtureOptions = {}) {
  const { capabilities = [], channels = 1, waitersMax = 10, segmentBytesMax = 1 << 20 } = options;
  const disk = createMemoryDisk();
  const billing = createFakeBilling();
  billing.setAvailable('acc_1', 100_000n);
  const spool = await openMemorySpool({
    disk,
    clock,
    bounds: { segmentBytesMax, totalBytesMax: 1 << 22 },
  });
  let nonces = 0;
  const createNonce = () => {
    nonces += 1;
    return `nonce_${nonces}`;
  };
  const leases = new LeaseManager({
    billing,
    spool,
    clock,
    logger: silentLogger,
    createNonce,
    bounds: { ...NEVER_IDLE_BOUNDS, waitersMax },
  });
  const vendors = new FakeVendors();
  const runs = createActiveRuns(1_000);
  spool.onPoisoned(() => runs.stopAll('poisoned'));
  const table = createTable(channels, capabilities, options.kind);
  const deps: RunDependencies = {
    vendors,
    leases,
    spool,
    runs,
    prompts: createPromptRoom(PROMPT_BYTES_MAX),
    clock,
    logger: silentLogger,
    routeTable: () => table,
    tokens: {
      countAnswer: async (texts) => texts.join(' ').split(' ').length,
      countPrompt: async () => 5,
    },
    metrics: createUnreadMetrics(),
    bounds: {
      attemptsMax: 3,
      hedgeStreams: false,
      checkpointMs: 250,
      checkpointTokens: 64,
      stalledReaderMs: 30_000,
    },
    random: () => 0,
    tieBreakers: createTieBreakers(() => 0),
    retries: createRetryBudget(clock),
    abandoned: createAbandonedWork(clock),
  };
  return {
    billing,
    deps,
    disk,
    leases,
    runs,
    spool,
    vendors,
    /** Asks for a streamed answer, whose vendor is the test. */
    stream(request = exampleRequest(), changes: Partial<RunDependencies> = {}) {
      const vendor = new FakeVendorStream();
      const out = new FakeStreamOutput();
      vendors.answers.push(vendor);
      const over = streamCompletion({ ...deps, ...changes }, request, out);
      over.catch(() => {});
      return { vendor, out, over };
    },
    /** The one record that was written. */
    onlyRecord(): UsageRecord {
      const [record, ...others] = spool.takeBatch(10);
      if (record?.kind !== 'usage' || others.length > 0) throw new Error('not exactly one record');
      return record;
    },
  };
}

const TOKEN_PRICE = nano(1_000_000n);

function createTable(channels: number, capabilities: readonly string[], kind: ModelKind = 'chat') {
  const { candidate } = exampleCall();
  const prices = { prompt: TOKEN_PRICE, completion: TOKEN_PRICE, cachedPrompt: TOKEN_PRICE };
  return createRouteTable(
    Array.from({ length: channels }, (_, index) => ({
      ...candidate.channel,
      id: `chn_${index + 1}`,
      priority: index,
      capabilities,
    })),
    [{ ...candidate.model, kind, prices }],
  );
}

let requests = 0;

/** A request of acc_1 for `small`. */
export function exampleRequest(changes: Partial<CompletionRequest> = {}): CompletionRequest {
  requests += 1;
  return {
    requestId: `req_${requests}`,
    clientRequestId: undefined,
    caller: {
      accountId: 'acc_1',
      keyId: 'key_1',
      userId: undefined,
      operator: false,
      models: [],
      accountModels: [],
      discount: 0,
      keyGroups: [],
      grantedGroups: [],
      budget: undefined,
    },
    model: 'small',
    messages: Buffer.from('[{"role":"user","content":"Hi"}]'),
    messageCount: 1,
    fallbackModels: [],
    media: { bytes: 0, images: 0, files: 0 },
    parameters: exampleCall().parameters,
    maxTokens: undefined,
    capabilities: [],
    capabilityParam: '',
    choices: 1,
    embedding: undefined,
    costMax: undefined,
    deadlineMs: 60_000,
    signal: new AbortController().signal,
    ...changes,
  };
}
