import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/api-error';
import { type ChatBody, type ChatEvent, streamChat } from '../../api/chat';
import { useKeyOfPurpose } from '../../api/keys';
import { HOUR_MS } from '../../format/time';
import { useUser } from '../../session/session';

/** A tool that the model wants to be called, with its arguments as JSON. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: string;
}

/** An answer while it comes, and when it is there. */
export interface Answer {
  /** What was asked. */
  readonly asked: ChatBody;
  readonly text: string;
  /** The calls of tools that the model asks for, in its order. */
  readonly toolCalls: readonly ToolCall[];
  readonly model: string | undefined;
  readonly requestId: string | undefined;
  readonly usage: { readonly promptTokens: number; readonly completionTokens: number } | undefined;
  readonly failure: string | undefined;
  /** The connection broke off before the answer ended. */
  readonly isCut: boolean;
  readonly isComplete: boolean;
}

const NO_ANSWER: Omit<Answer, 'asked'> = {
  text: '',
  toolCalls: [],
  model: undefined,
  requestId: undefined,
  usage: undefined,
  failure: undefined,
  isCut: false,
  isComplete: false,
};

/** How long the key of this page holds; it may spend little besides. */
const KEY_LIFE_MS = HOUR_MS;
export const KEY_BUDGET = '1.00';
let pageKey:
  | { readonly secret: string; readonly userId: string; readonly endsAtMs: number }
  | undefined;

/** The key while it holds: it is the user's who asks, and has not ended. */
function keyOf(userId: string) {
  return pageKey?.userId === userId && pageKey.endsAtMs > Date.now() ? pageKey : undefined;
}

export interface Chat {
  /** Undefined before anything was asked. */
  readonly answer: Answer | undefined;
  readonly isRunning: boolean;
  readonly error: Error | null;
  /** Whether the next request needs no key to be made. */
  readonly hasKey: boolean;
  send(body: ChatBody, costMax: string | undefined): Promise<void>;
  stop(): void;
}

/** Asks the real API with a key of the user's that gets a secret for this tab when it is needed. */
export function useChat(): Chat {
  const [answer, setAnswer] = useState<Answer>();
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const running = useRef<AbortController>(undefined);
  const { id: userId } = useUser();
  const findKey = usePageKey(userId);
  // Nobody reads on who left the page: what was delivered is charged, and no more.
  useEffect(() => () => running.current?.abort(), []);

  return {
    answer,
    isRunning,
    error,
    hasKey: keyOf(userId) !== undefined,
    async send(body, costMax) {
      const controller = new AbortController();
      running.current = controller;
      setRunning(true);
      setError(null);
      let current: Answer = { ...NO_ANSWER, asked: body };
      setAnswer(current);
      try {
        const { signal } = controller;
        const key = await findKey();
        for await (const event of streamChat(body, { key, costMax, signal })) {
          current = withEvent(current, event);
          setAnswer(current);
        }
      } catch (thrown) {
        // Revoked meanwhile, used up, or given another secret by another tab: asked for anew.
        if (thrown instanceof ApiError && KEY_AT_FAULT.has(thrown.status)) pageKey = undefined;
        if (!controller.signal.aborted) setError(thrown as Error);
      } finally {
        setRunning(false);
      }
    },
    stop: () => running.current?.abort(),
  };
}

const KEY_AT_FAULT: ReadonlySet<number> = new Set([401, 402, 403]);

function usePageKey(userId: string): () => Promise<string> {
  const prepare = useKeyOfPurpose();
  return async () => {
    const known = keyOf(userId);
    if (known !== undefined) return known.secret;
    const endsAtMs = Date.now() + KEY_LIFE_MS;
    const { key = '' } = await prepare.mutateAsync({
      name: 'Playground',
      metadata: { made_by: 'playground', user: userId },
      scopes: ['completions'],
      max_budget: KEY_BUDGET,
      expires_at: new Date(endsAtMs).toISOString(),
    });
    // A minute less, so that it does not end under way.
    pageKey = { secret: key, userId, endsAtMs: endsAtMs - 60_000 };
    return key;
  };
}

function withEvent(answer: Answer, event: ChatEvent): Answer {
  switch (event.kind) {
    case 'begun':
      return { ...answer, requestId: event.requestId };
    case 'model':
      return { ...answer, model: event.model };
    case 'text':
      return { ...answer, text: answer.text + event.text };
    case 'tool':
      return { ...answer, toolCalls: withToolPiece(answer.toolCalls, event) };
    case 'usage':
      return { ...answer, usage: event };
    case 'failed':
      return { ...answer, failure: event.message };
    case 'cut':
      return { ...answer, failure: event.message, isCut: true };
    case 'done':
      return { ...answer, isComplete: true };
  }
}

/** Name and arguments of a call come in pieces. */
function withToolPiece(
  calls: readonly ToolCall[],
  { index, name, text }: Extract<ChatEvent, { readonly kind: 'tool' }>,
): readonly ToolCall[] {
  const before = calls[index] ?? { name: '', arguments: '' };
  return calls
    .slice(0, index)
    .concat(
      { name: before.name + name, arguments: before.arguments + text },
      calls.slice(index + 1),
    );
}
