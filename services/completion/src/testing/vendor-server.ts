import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the vendor got it. */
export interface VendorSeen {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
  /** The body byte for byte. */
  readonly text: string;
  /** Resolves when the connection of this request is gone. */
  readonly gone: Promise<void>;
}

/** Answers one request. */
export type VendorScript = (seen: VendorSeen, response: ServerResponse) => void | Promise<void>;

/** A vendor that does what a test says, over real HTTP on loopback. */
export interface VendorServer {
  readonly baseUrl: string;
  readonly seen: readonly VendorSeen[];
  /** Connections accepted so far. */
  readonly connections: number;
  script: VendorScript;
  close(): Promise<void>;
}

/** Listens on a free port; answers a short completion until told otherwise. */
export async function startVendorServer(): Promise<VendorServer> {
  const seen: VendorSeen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    const { promise: gone, resolve } = Promise.withResolvers<void>();
    response.on('close', resolve);
    response.on('error', () => {});
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const body = JSON.parse(text) as Record<string, unknown>;
      const entry = { path: request.url ?? '', headers: request.headers, body, text, gone };
      seen.push(entry);
      void vendor.script(entry, response);
    });
  });
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const vendor: VendorServer = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    seen,
    get connections() {
      return connections;
    },
    script: answerShortly,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return vendor;
}

/** Token counts of the scripted answers. */
export const VENDOR_USAGE = { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 };

/** One event of a stream. */
export function sse(event: unknown): string {
  return `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`;
}

/** A chunk that carries text. */
export function textChunk(content: string, finishReason: string | null = null): string {
  return sse({ choices: [{ index: 0, delta: { content }, finish_reason: finishReason }] });
}

/** The chunk that ends the choice, the chunk with the counts, and the end of the stream. */
export const FINISH_CHUNK = sse({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
export const USAGE_CHUNK = sse({ choices: [], usage: VENDOR_USAGE });
export const DONE_CHUNK = sse('[DONE]');

/** Sends the head of an event stream. */
export function beginStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
}

/** Answers `Hello there` in the form that was asked for. */
export const answerShortly: VendorScript = ({ body }, response) => {
  if (body.stream === true) {
    beginStream(response);
    response.write(sse({ choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] }));
    response.write(textChunk('Hello'));
    response.end(textChunk(' there') + FINISH_CHUNK + USAGE_CHUNK + DONE_CHUNK);
    return;
  }
  answerJson(response, {
    choices: [
      { index: 0, message: { role: 'assistant', content: 'Hello there' }, finish_reason: 'stop' },
    ],
    usage: VENDOR_USAGE,
  });
};

/** Answers a JSON body. */
export function answerJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
