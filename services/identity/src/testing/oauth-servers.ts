import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** What the stand-in answers next. */
export interface FakeGithub {
  readonly url: string;
  /** The profile's id, as `/user` gives it. */
  id: unknown;
  /** The profile's addresses, as `/user/emails` gives them. */
  emails: readonly { email: string; primary: boolean; verified: boolean }[];
  /** Bodies that `/login/oauth/access_token` got. */
  readonly exchanges: URLSearchParams[];
  close(): Promise<void>;
}

/** The three endpoints of GitHub's login over real HTTP. */
export async function startFakeGithub(): Promise<FakeGithub> {
  const exchanges: URLSearchParams[] = [];
  const server = createServer((request, response) => {
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    const known = request.headers.authorization === 'Bearer granted';
    if (request.url === '/login/oauth/access_token') {
      void readBody(request).then((body) => {
        const form = new URLSearchParams(body);
        exchanges.push(form);
        const good = form.get('code') === 'good' && form.get('client_secret') === 'gh-secret';
        answer(200, good ? { access_token: 'granted' } : { error: 'bad_verification_code' });
      });
    } else if (!known) answer(401, {});
    else if (request.url === '/user') answer(200, { id: fake.id, login: 'ada', name: null });
    else answer(200, fake.emails);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const fake: FakeGithub = {
    url: `http://127.0.0.1:${port}`,
    id: 42,
    emails: [{ email: 'ada@example.com', primary: true, verified: true }],
    exchanges,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return fake;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** An OpenID Connect provider in a process of its own. */
export interface OidcProcess {
  readonly issuer: string;
  /** Sets what the next tokens say. */
  claim(claims: Readonly<Record<string, unknown>>): Promise<void>;
  close(): Promise<void>;
}

export async function startOidcProcess(): Promise<OidcProcess> {
  const child: ChildProcess = fork(join(__dirname, 'oidc-server.mjs'), {
    execArgv: [],
  });
  const [started] = (await once(child, 'message')) as [{ issuer: string }];
  return {
    issuer: started.issuer,
    async claim(claims) {
      const applied = once(child, 'message');
      child.send(claims);
      await applied;
    },
    async close() {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}
