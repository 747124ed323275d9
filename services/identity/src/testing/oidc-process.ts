import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

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
