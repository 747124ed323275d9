import { connect, createServer } from 'node:net';

/** Ports of the loopback interface that were free a moment ago, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve, reject) => {
          server.once('error', reject);
          server.listen(0, '127.0.0.1', () => {
            const address = server.address();
            resolve(typeof address === 'object' && address !== null ? address.port : 0);
          });
        }),
    ),
  );
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  return ports;
}

/** Sends bytes and gives the first that come back; rejects when nothing does in time. */
export function ask(port: number, question: Buffer, timeoutMs = 1_000): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port });
    const fail = (error: Error) => {
      socket.destroy();
      reject(error);
    };
    socket.setTimeout(timeoutMs, () => fail(new Error('no answer in time')));
    socket.once('error', fail);
    socket.once('end', () => fail(new Error('closed without an answer')));
    socket.once('connect', () => socket.write(question));
    socket.once('data', (answer) => {
      socket.destroy();
      resolve(answer);
    });
  });
}
