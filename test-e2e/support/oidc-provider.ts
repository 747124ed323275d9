import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { REPOSITORY } from './repository';

/** What the provider says about the person who signs in. */
export interface Person {
  readonly sub: string;
  readonly email: string;
  readonly email_verified: boolean;
  readonly name: string;
}

/** An OpenID Connect provider outside the product. */
export interface OidcProvider {
  /** `host:port`, for the list of private hosts that may be reached. */
  readonly host: string;
  /** The provider as `TOLLGATE_OAUTH_PROVIDERS` names it. */
  readonly settings: Readonly<Record<string, string>>;
  /** Whom the next sign-in is about. */
  becomes(person: Person): Promise<void>;
  /** What a browser does at the provider's page; answers where it is sent back to. */
  signIn(authorizationUrl: string): Promise<URL>;
  stop(): Promise<void>;
}

export async function startOidcProvider(): Promise<OidcProvider> {
  const child = fork(join(REPOSITORY, 'test-e2e/support/oidc-provider-inside.cjs'), {
    execArgv: [],
  });
  const [{ issuer }] = (await once(child, 'message')) as [{ readonly issuer: string }];
  return {
    host: new URL(issuer).host,
    settings: {
      id: 'company',
      name: 'Company',
      issuer,
      client_id: 'tollgate',
      client_secret: 'of-the-test',
    },
    async becomes(person) {
      const applied = once(child, 'message');
      child.send({ ...person });
      await applied;
    },
    async signIn(authorizationUrl) {
      const answer = await fetch(authorizationUrl, { redirect: 'manual' });
      return new URL(answer.headers.get('location') ?? '');
    },
    async stop() {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}
