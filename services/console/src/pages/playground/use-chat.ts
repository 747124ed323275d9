import { useRef, useState } from 'react';
import { type ChatEvent, type Question, streamChat } from '../../api/chat';
import { useCreateKey } from '../../api/keys';

/** A tool that the model wants to be called, with its arguments as JSON. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: string;
}

/** An answer while it comes, and when it is there. */
export interface Answer {
  readonly text: string;
  /** The calls of tools that the model asks for, in its order. */
  readonly toolCalls: readonly ToolCall[];
  readonly model: string | undefined;
  readonly requestId: string | undefined;
  readonly usage: { readonly promptTokens: number; readonly completionTokens: number } | undefined;
  readonly failure: string | undefined;
  readonly isComplete: boolean;
}

const NO_ANSWER: Answer = {
  text: '',
  toolCalls: [],
  model: undefined,
  requestId: undefined,
  usage: undefined,
  failure: undefined,
  isComplete: false,
};

/** A key of this page's own: it ends soon and may spend little. */
const KEY_LIFE_MS = 3_600_000;
export const KEY_BUDGET = '1.00';
let pageKey: { readonly secret: string; readonly endsAtMs: number } | undefined;

export interface Chat {
  /** Undefined before anything was asked. */
  readonly answer: Answer | undefined;
  readonly isRunning: boolean;
  readonly error: Error | null;
  send(body: Question, costMax: string | undefined): Promise<void>;
  stop(): void;
}

/** Asks the real API with a key that is made for this tab when it is first needed. */
export function useChat(): Chat {
  const [answer, setAnswer] = useState<Answer>();
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const running = useRef<AbortController>(undefined);
  const createKey = useCreateKey();

  const findKey = async (): Promise<string> => {
    if (pageKey !== undefined && pageKey.endsAtMs > Date.now()) return pageKey.secret;
    const endsAtMs = Date.now() + KEY_LIFE_MS;
    const { key = '' } = await createKey.mutateAsync({
      name: 'Playground',
      scopes: ['completions'],
      max_budget: KEY_BUDGET,
      expires_at: new Date(endsAtMs).toISOString(),
    });
    // A minute less, so that it does not end under way.
    pageKey = { secret: key, endsAtMs: endsAtMs - 60_000 };
    return key;
  };

  return {
    answer,
    isRunning,
    error,
    async send(body, costMax) {
      const controller = new AbortController();
      running.current = controller;
      setRunning(true);
      setError(null);
      let current = NO_ANSWER;
      setAnswer(current);
      try {
        const { signal } = controller;
        const key = await findKey();
        for await (const event of streamChat(body, { key, costMax, signal })) {
          current = withEvent(current, event);
          setAnswer(current);
        }
      } catch (thrown) {
        // A key that was revoked meanwhile is made anew for the next try.
        pageKey = undefined;
        if (!controller.signal.aborted) setError(thrown as Error);
      } finally {
        setRunning(false);
      }
    },
    stop: () => running.current?.abort(),
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
