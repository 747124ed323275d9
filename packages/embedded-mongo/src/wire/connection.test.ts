import { once } from 'node:events';
import { connect as connectSocket, type Socket } from 'node:net';
import { join } from 'node:path';
import { makeTemporaryDirectory, type TemporaryDirectory } from '@tollgate/testkit';
import { BSON } from 'bson';
import { createEmbeddedMongo, type EmbeddedMongo, IN_MEMORY } from '../index';

function message(command: BSON.Document, flags = 0): Buffer {
  const body = BSON.serialize(command);
  const bytes = Buffer.alloc(21 + body.length);
  bytes.writeInt32LE(bytes.length, 0);
  bytes.writeInt32LE(77, 4);
  bytes.writeInt32LE(2_013, 12);
  bytes.writeUInt32LE(flags, 16);
  bytes.set(body, 21);
  return bytes;
}

async function readReply(socket: Socket): Promise<BSON.Document> {
  let bytes = Buffer.alloc(0);
  while (bytes.length < 4 || bytes.length < bytes.readInt32LE(0)) {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    bytes = Buffer.concat([bytes, chunk]);
  }
  expect(bytes.readInt32LE(8)).toBe(77);
  return BSON.deserialize(bytes.subarray(21));
}

describe('a connection', () => {
  let directory: TemporaryDirectory;
  let store: EmbeddedMongo;
  let socketPath: string;

  beforeAll(async () => {
    directory = await makeTemporaryDirectory('store');
    socketPath = join(directory.path, 's.sock');
    store = await createEmbeddedMongo({
      dataPath: IN_MEMORY,
      listen: { socketPath },
      bounds: { messageBytesMax: 100_000, connectionsMax: 2 },
    });
  });
  afterAll(async () => {
    await store.close();
    await directory.remove();
  });

  it('joins a message that arrives byte by byte and splits messages that arrive together', async () => {
    const socket = connectSocket(socketPath);
    const whole = message({ endSessions: [], $db: 'admin' });
    for (const byte of whole) socket.write(Buffer.from([byte]));
    expect(await readReply(socket)).toEqual({ ok: 1 });
    const silent = message({ insert: 'c', documents: [{ _id: 1 }], $db: 'd' }, 2);
    socket.write(Buffer.concat([silent, message({ find: 'c', $db: 'd' })]));
    const cursor = { firstBatch: [{ _id: 1 }] };
    expect(await readReply(socket)).toMatchObject({ cursor, ok: 1 });
    socket.destroy();
    await once(socket, 'close');
  });

  it.each([
    ['a length that is too small', Buffer.alloc(16)],
    ['a length beyond the limit', Buffer.from([0, 0, 0, 1, ...Buffer.alloc(12)])],
    ['an unknown operation', Buffer.from([16, 0, 0, 0, ...Buffer.alloc(12)])],
    ['a required flag that is unknown', message({ endSessions: [], $db: 'admin' }, 4)],
    ['a body that is no BSON', message({ endSessions: [] }).fill(0xff, 21)],
  ])('is closed after %s, and the store goes on', async (_title, bytes) => {
    const socket = connectSocket(socketPath);
    socket.on('error', () => undefined);
    socket.write(bytes);
    await once(socket, 'close');
    const next = connectSocket(socketPath);
    next.write(message({ endSessions: [], $db: 'admin' }));
    expect(await readReply(next)).toEqual({ ok: 1 });
    next.destroy();
    await once(next, 'close');
  });

  it('is closed at once beyond the limit of connections', async () => {
    const first = [connectSocket(socketPath), connectSocket(socketPath)];
    for (const socket of first) {
      socket.write(message({ endSessions: [], $db: 'admin' }));
      await readReply(socket);
    }
    const third = connectSocket(socketPath);
    third.on('error', () => undefined);
    await once(third, 'close');
    for (const socket of first) {
      socket.destroy();
      await once(socket, 'close');
    }
  });
});
