import { connect } from 'node:net';
import { deserialize, serialize } from 'bson';

/** A document as the server is told it and as it answers; integers of 64 bits are bigints. */
export type MongoDocument = Readonly<Record<string, unknown>>;

const MESSAGE_OPERATION = 2013;
const HEADER_BYTES = 16;
/** After the header: flags, and the kind of the one section. */
const BODY_OFFSET = HEADER_BYTES + 5;
const TIMEOUT_MS = 10_000;

/**
 * Runs one command on a connection of its own and gives the answer; rejects when the server
 * refuses it. The driver is no help here: inside a test its first message is refused by a real
 * server, because the test's sandbox has classes of its own.
 */
export async function runMongoCommand(
  port: number,
  database: string,
  command: MongoDocument,
  timeoutMs = TIMEOUT_MS,
): Promise<MongoDocument> {
  const body = serialize({ ...command, $db: database });
  const head = Buffer.alloc(BODY_OFFSET);
  head.writeInt32LE(BODY_OFFSET + body.length, 0);
  head.writeInt32LE(MESSAGE_OPERATION, 12);
  const answer = await exchange(port, Buffer.concat([head, body]), timeoutMs);
  const document = deserialize(answer.subarray(BODY_OFFSET), { useBigInt64: true });
  const failure = firstFailure(document);
  if (failure !== undefined) {
    throw new Error(`${Object.keys(command)[0]} was refused: ${JSON.stringify(failure)}`);
  }
  return document;
}

const FIND_BATCH = 10_000;

interface Cursor {
  readonly id: bigint | number;
  readonly firstBatch?: readonly MongoDocument[];
  readonly nextBatch?: readonly MongoDocument[];
}

/** All that a `find` command finds, batch by batch. */
export async function findAll(
  port: number,
  database: string,
  find: MongoDocument & { readonly find: string },
): Promise<readonly MongoDocument[]> {
  const documents: MongoDocument[] = [];
  let answer = await runMongoCommand(port, database, { ...find, batchSize: FIND_BATCH });
  for (;;) {
    const { id, firstBatch, nextBatch } = answer.cursor as Cursor;
    documents.push(...(firstBatch ?? nextBatch ?? []));
    if (BigInt(id) === 0n) return documents;
    const more = { getMore: BigInt(id), collection: find.find, batchSize: FIND_BATCH };
    answer = await runMongoCommand(port, database, more);
  }
}

function firstFailure(answer: MongoDocument): unknown {
  if (answer.ok !== 1) return { code: answer.code, message: answer.errmsg };
  return Array.isArray(answer.writeErrors) ? answer.writeErrors[0] : undefined;
}

/** Sends a message and gives the whole answer, whose first four bytes tell its length. */
function exchange(port: number, message: Buffer, timeoutMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port });
    let received: Buffer = Buffer.alloc(0);
    const fail = (error: Error) => {
      socket.destroy();
      reject(error);
    };
    socket.setTimeout(timeoutMs, () => fail(new Error('no answer in time')));
    socket.once('error', fail);
    socket.once('end', () => fail(new Error('closed without a whole answer')));
    socket.once('connect', () => socket.write(message));
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < HEADER_BYTES || received.length < received.readInt32LE(0)) return;
      socket.destroy();
      resolve(received);
    });
  });
}
