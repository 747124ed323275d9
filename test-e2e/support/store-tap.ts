import { startTcpRelay } from './network/tcp-relay';

/** Stands between the services and their store, and counts the commands that pass. */
export interface StoreTap {
  readonly port: number;
  /** Commands so far, by `service command`, without what drivers send to keep connections. */
  counts(): ReadonlyMap<string, number>;
  close(): void;
}

/** Sent by drivers on their own account, however many requests there are. */
const UPKEEP = new Set(['hello', 'ismaster', 'isMaster', 'ping', 'endSessions']);
const LOOPBACK = '127.0.0.1';
const OP_MSG = 2013;
const OP_QUERY = 2004;
const HEADER_BYTES = 16;
/** Header, flags and the kind of the first section, which is the command itself. */
const BODY_OFFSET = HEADER_BYTES + 4 + 1;
const BSON_STRING = 2;

/** Listens on a free port of the loopback interface and passes everything on to the store. */
export async function startStoreTap(storePort: number): Promise<StoreTap> {
  const counts = new Map<string, number>();
  const onCommand = (command: string, application: string) => {
    if (UPKEEP.has(command)) return;
    const key = `${application} ${command}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  };
  const store = { host: LOOPBACK, port: storePort };
  const relay = await startTcpRelay(
    { host: LOOPBACK, port: 0 },
    () => store,
    (source, target, isRequest) => {
      if (isRequest) source.on('data', createCommandReader(onCommand));
      source.pipe(target);
    },
  );
  return { port: relay.port, counts: () => new Map(counts), close: relay.close };
}

/** Cuts one connection's bytes into messages and tells each command's name, and who connected. */
function createCommandReader(onCommand: (command: string, application: string) => void) {
  let rest: Buffer = Buffer.alloc(0);
  let application = 'unknown';
  return (chunk: Buffer): void => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length >= HEADER_BYTES && rest.length >= rest.readInt32LE(0)) {
      const message = rest.subarray(0, rest.readInt32LE(0));
      rest = rest.subarray(message.length);
      application = readApplication(message) ?? application;
      if (message.readInt32LE(12) === OP_MSG) {
        onCommand(readName(message, BODY_OFFSET + 4), application);
      } else if (message.readInt32LE(12) !== OP_QUERY) {
        throw new Error(`the tap does not know messages of kind ${message.readInt32LE(12)}`);
      }
    }
  };
}

/** The name of the document's first member; source: the BSON specification. */
function readName(message: Buffer, elementOffset: number): string {
  const begin = elementOffset + 1;
  return message.toString('latin1', begin, message.indexOf(0, begin));
}

/** What a client calls itself in its handshake: client.application.name. */
function readApplication(message: Buffer): string | undefined {
  const application = message.indexOf('\x03application\0', 0, 'latin1');
  if (application < 0) return undefined;
  const name = message.indexOf(Buffer.from([BSON_STRING, ...Buffer.from('name\0')]), application);
  if (name < 0) return undefined;
  const lengthOffset = name + 'name\0'.length + 1;
  const length = message.readInt32LE(lengthOffset);
  return message.toString('utf8', lengthOffset + 4, lengthOffset + 3 + length);
}
