import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from './eventually';

/** One delivery as it arrived. */
export interface ReceivedDelivery {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly event: ReceivedEvent;
}

/** The body of a delivery. */
export interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  readonly sequence: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A server that takes webhooks. */
export interface WebhookReceiver {
  /** `host:port`, for the list of private hosts that may be reached. */
  readonly host: string;
  url(path: string): string;
  /** What arrived at the path, the oldest first. */
  received(path: string): readonly ReceivedDelivery[];
  /** Waits until that many arrived at the path. */
  waitFor(path: string, count: number): Promise<readonly ReceivedDelivery[]>;
  /** What the path answers from now on; 204 before. */
  answer(path: string, status: number): void;
  stop(): Promise<void>;
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const deliveries: ReceivedDelivery[] = [];
  const statuses = new Map<string, number>();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const text = Buffer.concat(parts).toString('utf8');
      const path = request.url ?? '';
      if (request.method !== 'POST') {
        response.writeHead(405).end();
        return;
      }
      const event = JSON.parse(text) as ReceivedEvent;
      deliveries.push({ path, headers: request.headers, text, event });
      response.writeHead(statuses.get(path) ?? 204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const received = (path: string) => deliveries.filter((delivery) => delivery.path === path);
  return {
    host,
    received,
    url: (path) => `http://${host}${path}`,
    waitFor: (path, count) =>
      eventually(
        async () => received(path),
        (found) => found.length >= count,
      ),
    answer(path, status) {
      statuses.set(path, status);
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
