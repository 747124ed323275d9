import { connect } from 'node:net';

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
