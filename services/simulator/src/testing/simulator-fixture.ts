import { request } from 'node:http';
import { silentLogger } from '@tollgate/core';
import { createFakeClock } from '@tollgate/testkit';
import {
  createSimulatorServer,
  type SimulatorServer,
  type SimulatorServerOptions,
} from '../http/simulator-server';

const OPTIONS: SimulatorServerOptions = {
  bind: '127.0.0.1',
  port: 0,
  models: ['simulated-small'],
  tokens: 40,
  latencyMs: 0,
  firstTokenMs: 0,
  tokenIntervalMs: 0,
  bodyBytesMax: 1_048_576,
  connectionsMax: 100,
  deliveriesMax: 100,
};

const running: SimulatorServer[] = [];

/** A simulator on an ephemeral port. */
export async function startSimulator(options: Partial<SimulatorServerOptions> = {}) {
  const clock = createFakeClock();
  const server = createSimulatorServer({ ...OPTIONS, ...options }, { clock, logger: silentLogger });
  const { url } = await server.listen();
  running.push(server);
  return { url, server, clock };
}

/** Ends every simulator that a test started. */
export async function stopSimulators(): Promise<void> {
  await Promise.all(running.splice(0).map((server) => server.close()));
}

/** A request with one user message. */
export function askFor(content: string) {
  return { model: 'simulated-small', messages: [{ role: 'user', content }] };
}

/** A request whose message carries a directive. */
export function directive(wire: unknown) {
  return askFor(`please [[simulate ${JSON.stringify(wire)}]] thanks`);
}

/** An answer that was read to its end. */
export interface ChatAnswer {
  readonly response: { readonly status: number; readonly headers: Headers };
  readonly body: string;
}

/** Asks; rejects when the connection breaks before the answer is complete. */
export async function chat(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
  signal: AbortSignal | null = null,
  onText: (text: string) => void = () => {},
): Promise<ChatAnswer> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    signal,
  });
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    onText(text);
  }
  return { response, body: text };
}

/** Everything of an answer that may break: what had come, in which chunks, and how it ended. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly chunks: readonly Buffer[];
  readonly text: string;
  readonly broke: boolean;
}

/** Asks with Node's own client and keeps what had come before a break. */
export function chatRaw(url: string, body: unknown, stopAt?: string): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let status = 0;
    let headers: Readonly<Record<string, unknown>> = {};
    const end = (broke: boolean) =>
      resolve({ status, headers, chunks, text: Buffer.concat(chunks).toString(), broke });
    const outgoing = request(`${url}/v1/chat/completions`, { method: 'POST', agent: false });
    outgoing.on('response', (incoming) => {
      status = incoming.statusCode ?? 0;
      headers = incoming.headers;
      incoming.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        if (stopAt !== undefined && chunk.includes(stopAt)) outgoing.destroy();
      });
      incoming.on('end', () => end(false));
      incoming.on('error', () => end(true));
    });
    outgoing.on('error', () => end(true));
    outgoing.end(JSON.stringify(body));
  });
}

/** What a body or a frame of the protocol may hold. */
export interface WireAnswer {
  readonly id: string;
  readonly choices: readonly WireChoice[];
  readonly usage?: Readonly<Record<string, unknown>>;
  readonly error?: Readonly<Record<string, unknown>>;
}

interface WireChoice {
  readonly finish_reason: string | null;
  readonly delta?: { readonly content?: string };
  readonly message?: { readonly content: string };
}

/** Parses a body or a frame; throws SyntaxError for what is no JSON. */
export function parseAnswer(text: string): WireAnswer {
  return JSON.parse(text) as WireAnswer;
}

/** The text of a whole answer. */
export function textOf(answer: { readonly body: string }): string | undefined {
  return parseAnswer(answer.body).choices[0]?.message?.content;
}

/** The data of each event of a stream with LF line ends. */
export function eventsOf(body: string): string[] {
  return body
    .split('\n\n')
    .filter((block) => block.startsWith('data: '))
    .map((block) => block.slice('data: '.length));
}

/** The control endpoint's answer. */
export interface WireDeliveries {
  readonly deliveries: {
    readonly sequence: number;
    readonly tag: string | null;
    readonly tokens: number;
    readonly bytes: number;
    readonly state: string;
  }[];
  readonly totals: Readonly<Record<string, number>>;
}

/** Asks for the deliveries until they are as expected: the end of a connection is seen late. */
export async function deliveriesOf(
  url: string,
  query = '',
  expected: (deliveries: WireDeliveries) => boolean = () => true,
): Promise<WireDeliveries> {
  for (;;) {
    const response = await fetch(`${url}/control/deliveries${query}`);
    const deliveries = (await response.json()) as WireDeliveries;
    if (expected(deliveries)) return deliveries;
  }
}
