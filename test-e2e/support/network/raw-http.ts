import { createConnection, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type ApiAnswer, parseBody } from '../api-answer';
import { requireDocumented } from '../openapi/documented-answers';

/** A connection on which a test says exactly what it wants, HTTP or not. */
export interface RawConnection {
  write(bytes: Buffer | string): void;
  /** What has come so far, as it came. */
  received(): string;
  /** Everything until the server closes, or until whole answers have come and nothing follows. */
  answers(): Promise<readonly ApiAnswer[]>;
  close(): void;
}

const SILENCE_MS = 400;
/** What is half an answer after this time stays one. */
const STUCK_MS = 10_000;

/** Connects to the address of a base URL. */
export async function connectRaw(baseUrl: string): Promise<RawConnection> {
  const { hostname, port } = new URL(baseUrl);
  const socket: Socket = createConnection({ host: hostname, port: Number(port) });
  const chunks: Buffer[] = [];
  let last = performance.now();
  let closed = false;
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    last = performance.now();
  });
  // A server may well cut a client that makes no sense; what it said before counts.
  socket.on('error', () => {});
  socket.on('close', () => {
    closed = true;
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  const received = () => Buffer.concat(chunks).toString('latin1');
  const isOver = () => {
    const silentMs = performance.now() - last;
    if (closed || chunks.length === 0 || silentMs < SILENCE_MS) return closed;
    return silentMs >= STUCK_MS || isWhole(received());
  };
  return {
    write: (bytes) => {
      socket.write(bytes);
    },
    received,
    async answers() {
      while (!isOver()) await delay(20);
      const answers = parseAnswers(received());
      await requireRefusals(baseUrl, answers);
      return answers;
    },
    close: () => {
      socket.destroy();
    },
  };
}

/** Sends the bytes on a connection of their own; answers all that came back. */
export async function sendRaw(
  baseUrl: string,
  bytes: Buffer | string,
): Promise<readonly ApiAnswer[]> {
  const connection = await connectRaw(baseUrl);
  connection.write(bytes);
  try {
    return await connection.answers();
  } finally {
    connection.close();
  }
}

/** Whatever was sent: a refusal has the body that the document gives to every refusal. */
async function requireRefusals(baseUrl: string, answers: readonly ApiAnswer[]): Promise<void> {
  const nowhere = { method: 'RAW', path: '/v1/' };
  for (const answer of answers.filter(({ status }) => status >= 400)) {
    await requireDocumented(baseUrl, nowhere, answer);
  }
}

function isWhole(bytes: string): boolean {
  try {
    parseAnswers(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Answers with a Content-Length, one after the other; half of one and what follows them throw. */
function parseAnswers(bytes: string): readonly ApiAnswer[] {
  const answers: ApiAnswer[] = [];
  let rest = bytes;
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    const [start = '', ...lines] = rest.slice(0, end).split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(start)?.[1]);
    if (end === -1 || Number.isNaN(status)) throw new Error(`no answer: ${rest.slice(0, 200)}`);
    const headers = new Headers();
    for (const line of lines) {
      const colon = line.indexOf(':');
      headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
    }
    const after = end + 4 + Number(headers.get('content-length') ?? 0);
    if (rest.length < after) throw new Error(`half an answer: ${rest.slice(0, 200)}`);
    const text = Buffer.from(rest.slice(end + 4, after), 'latin1').toString('utf8');
    answers.push({ status, headers, text, body: parseBody(text) });
    rest = rest.slice(after);
  }
  return answers;
}
