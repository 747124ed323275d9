/** One HTTP exchange as its client saw it. */
export interface Attempt {
  /** Unique; the vendor keeps it with its delivery. */
  readonly tag: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly stream: boolean;
  readonly fromMs: number;
  readonly untilMs: number;
  /** Undefined when no answer began. */
  readonly status: number | undefined;
  /** Ours, from the head of the answer. */
  readonly requestId: string | undefined;
  readonly errorCode: string | undefined;
  /** When the answer says that another try makes sense. */
  readonly retryAfter: string | undefined;
  /** Words of the answer that arrived. */
  readonly tokens: number;
  /** The answer came to its end: `[DONE]`, or a body that can be read. */
  readonly finished: boolean;
  /** The counts that the client was told. */
  readonly usage: ClientUsage | undefined;
  /** The client went away on purpose. */
  readonly left: boolean;
  /** The client gave up waiting. */
  readonly hung: boolean;
}

export interface ClientUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** What to ask for, and how to behave. */
export interface AttemptOrder {
  readonly baseUrl: string;
  readonly secret: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly tag: string;
  readonly stream: boolean;
  readonly words: number;
  readonly wordIntervalMs: number;
  readonly maxTokens: number | undefined;
  /** After how many words the client goes away; undefined stays. */
  readonly leaveAfter: number | undefined;
}

const MODEL = 'sim-small';
/** Longer than any answer that is asked for, and than any fault but Kafka's, which nobody feels. */
const HANG_MS = 60_000;

interface Seen {
  status?: number;
  requestId?: string | undefined;
  errorCode?: string;
  retryAfter?: string | undefined;
  text: string;
  finished: boolean;
  usage?: ClientUsage;
}

/** Makes one request and reports what came; never throws. */
export async function attempt(order: AttemptOrder, elapsedMs: () => number): Promise<Attempt> {
  const seen: Seen = { text: '', finished: false };
  const leaving = new AbortController();
  const hanging = AbortSignal.timeout(HANG_MS);
  const fromMs = elapsedMs();
  try {
    const response = await fetch(`${order.baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${order.secret}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(bodyOf(order)),
      signal: AbortSignal.any([leaving.signal, hanging]),
    });
    seen.status = response.status;
    seen.requestId = response.headers.get('x-request-id') ?? undefined;
    seen.retryAfter = response.headers.get('retry-after') ?? undefined;
    if (response.status !== 200) readFailure(seen, await response.text());
    else if (order.stream) await readStream(seen, response, order, () => leaving.abort());
    else readWhole(seen, await response.text());
  } catch {
    // Whatever broke, what was seen until then is the report.
  }
  return {
    tag: order.tag,
    accountId: order.accountId,
    keyId: order.keyId,
    stream: order.stream,
    fromMs,
    untilMs: elapsedMs(),
    status: seen.status,
    requestId: seen.requestId,
    errorCode: seen.errorCode,
    retryAfter: seen.retryAfter,
    tokens: countWords(seen.text),
    finished: seen.finished,
    usage: seen.usage,
    left: leaving.signal.aborted,
    hung: hanging.aborted && !leaving.signal.aborted,
  };
}

/** Every word is one token, for the vendor as for the tokenizer of a cut answer. */
const WORD = 'the';

function bodyOf(order: AttemptOrder): Readonly<Record<string, unknown>> {
  const text = Array.from({ length: order.words }, () => WORD).join(' ');
  const settings = { text, token_interval_ms: order.wordIntervalMs, tag: order.tag };
  const content = `[[simulate ${JSON.stringify(settings)}]] Go on.`;
  const body: Record<string, unknown> = { model: MODEL, messages: [{ role: 'user', content }] };
  if (order.maxTokens !== undefined) body.max_tokens = order.maxTokens;
  if (order.stream) Object.assign(body, { stream: true, stream_options: { include_usage: true } });
  return body;
}

function countWords(text: string): number {
  return text.split(' ').filter((word) => word !== '').length;
}

interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

interface WireAnswer {
  readonly choices?: readonly {
    readonly message?: { readonly content?: string };
    readonly delta?: { readonly content?: string };
  }[];
  readonly usage?: Usage | null;
  readonly error?: { readonly code?: string } | null;
}

function readWhole(seen: Seen, body: string): void {
  const answer = JSON.parse(body) as WireAnswer;
  seen.text = answer.choices?.[0]?.message?.content ?? '';
  seen.finished = true;
  noteUsage(seen, answer);
}

function readFailure(seen: Seen, body: string): void {
  seen.errorCode = (JSON.parse(body) as WireAnswer).error?.code ?? 'UNREADABLE';
}

function noteUsage(seen: Seen, { usage }: WireAnswer): void {
  if (!usage) return;
  seen.usage = { promptTokens: usage.prompt_tokens, completionTokens: usage.completion_tokens };
}

const DATA = 'data: ';

async function readStream(
  seen: Seen,
  response: Response,
  { leaveAfter }: AttemptOrder,
  leave: () => void,
): Promise<void> {
  if (response.body === null) return;
  const decoder = new TextDecoder();
  let pending = '';
  const body: AsyncIterable<Uint8Array> = response.body;
  for await (const chunk of body) {
    const lines = (pending + decoder.decode(chunk, { stream: true })).split('\n');
    pending = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith(DATA)) readFrame(seen, line.slice(DATA.length));
    }
    if (leaveAfter !== undefined && countWords(seen.text) >= leaveAfter) {
      leave();
      return;
    }
  }
}

function readFrame(seen: Seen, data: string): void {
  if (data === '[DONE]') {
    seen.finished = true;
    return;
  }
  const frame = JSON.parse(data) as WireAnswer;
  if (frame.error) seen.errorCode = frame.error.code ?? 'UNREADABLE';
  seen.text += frame.choices?.[0]?.delta?.content ?? '';
  noteUsage(seen, frame);
}
