import { type AppError, type Clock, type Nano, nano, silentLogger } from '@tollgate/core';
import { createMetrics } from '@tollgate/observability';
import type { AnswerHead, AnswerUsage, CompletionRequest } from '../domain/completion-request';
import { createRouteTable } from '../domain/route-table';
import type {
  VendorCall,
  VendorCompletion,
  VendorFrame,
  VendorPort,
  VendorStream,
} from '../domain/vendor';
import { aborted } from '../domain/vendor-failures';
import { LeaseManager } from '../leases/lease-manager';
import { createCompletionMetrics } from '../metrics';
import { createActiveRuns } from '../operations/active-runs';
import type { CompletionDependencies } from '../operations/dependencies';
import type { StreamOutput } from '../operations/stream-completion';
import { Spool } from '../spool/spool';
import { createFakeBilling } from './fake-billing';
import { createMemoryDisk } from './memory-disk';
import type { PlayedStream } from './played-stream';
import { exampleCall } from './vendor-call';

/** Vendors that answer as a test says, in the order of the calls. */
class PlayedVendors implements VendorPort {
  readonly calls: VendorCall[] = [];
  readonly answers: (PlayedStream | VendorCompletion | Error)[] = [];
  readonly views = () => ({ obstacle: undefined, firstTokenMs: undefined });

  async complete(call: VendorCall): Promise<VendorCompletion> {
    return this.#next(call) as VendorCompletion;
  }

  async stream(call: VendorCall, signal: AbortSignal): Promise<VendorStream> {
    const stream = this.#next(call) as PlayedStream;
    signal.addEventListener('abort', () => stream.end(aborted()), { once: true });
    return stream;
  }

  setChannels(): void {}

  #next(call: VendorCall): PlayedStream | VendorCompletion {
    this.calls.push(call);
    const answer = this.answers.shift();
    if (answer === undefined) throw new Error('the test has no answer for this call');
    if (answer instanceof Error) throw answer;
    return answer;
  }
}

/** Remembers what left, and when it was asked to wait. */
export class RecordedOutput implements StreamOutput {
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

/** Text as a frame; the frames that end a good answer. */
export const textFrame = (text: string): VendorFrame => ({
  kind: 'delta',
  choices: Buffer.from(text),
  text,
});
export const FINISH_FRAME: VendorFrame = {
  kind: 'finish',
  choices: Buffer.from('finish'),
  reason: 'stop',
};

const TOKEN_PRICE = nano(1_000_000n);

let nonces = 0;

function createNonce(): string {
  nonces += 1;
  return `nonce_${nonces}`;
}

/** What differs between scenes. */
export interface RunSceneOptions {
  readonly channels?: number;
  /** Requests of one account that may wait for credit. */
  readonly waitersMax?: number;
}

/** The real run, leases and spool over a played disk, billing and vendors. */
export async function createRunScene(clock: Clock, options: RunSceneOptions = {}) {
  const { channels = 1, waitersMax = 10 } = options;
  const disk = createMemoryDisk();
  const billing = createFakeBilling();
  billing.setAvailable('acc_1', 100_000n);
  const limits = { segmentBytesMax: 1 << 20, totalBytesMax: 1 << 22 };
  const spool = new Spool({ disk, clock, logger: silentLogger, limits });
  await spool.open();
  await spool.recover();
  const leases = new LeaseManager({
    ...{ billing, spool, clock, logger: silentLogger, createNonce },
    limits: {
      waitersMax,
      idlePoorMs: 1e6,
      idleRichMs: 1e6,
      slowPaceMs: 1e6,
      refusalMs: 1000,
      tickMs: 500,
    },
  });
  const vendors = new PlayedVendors();
  const runs = createActiveRuns(1_000);
  spool.onPoison(() => runs.stopAll('poisoned'));
  const { offer } = exampleCall();
  const prices = { prompt: TOKEN_PRICE, completion: TOKEN_PRICE, cachedPrompt: TOKEN_PRICE };
  const table = createRouteTable(
    1n,
    Array.from({ length: channels }, (_, index) => ({
      ...offer.channel,
      id: `chn_${index + 1}`,
      priority: index,
    })),
    [{ ...offer.model, prices }],
  );
  const deps: CompletionDependencies = {
    ...{ vendors, leases, spool, runs, clock, logger: silentLogger },
    routeTable: () => table,
    tokens: {
      countAnswer: async (texts) => texts.join(' ').split(' ').length,
      countPrompt: async () => 5,
    },
    metrics: createCompletionMetrics(createMetrics()),
    limits: { attemptsMax: 3, checkpointMs: 250, checkpointTokens: 64, stalledReaderMs: 30_000 },
    draining: new AbortController().signal,
    random: () => 0,
  };
  return { billing, deps, disk, leases, runs, spool, vendors };
}

let requests = 0;

/** A request of acc_1 for `small`. */
export function exampleRequest(changes: Partial<CompletionRequest> = {}): CompletionRequest {
  requests += 1;
  return {
    requestId: `req_${requests}`,
    clientRequestId: null,
    caller: {
      accountId: 'acc_1',
      keyId: 'key_1',
      userId: null,
      operator: false,
      models: [],
      pools: [],
      grantedGroups: [],
      budget: null,
    },
    model: 'small',
    messages: Buffer.from('[{"role":"user","content":"Hi"}]'),
    messageCount: 1,
    parameters: exampleCall().parameters,
    maxTokens: undefined,
    capabilities: [],
    capabilityParam: '',
    choices: 1,
    deadlineMs: 60_000,
    signal: new AbortController().signal,
    ...changes,
  };
}
