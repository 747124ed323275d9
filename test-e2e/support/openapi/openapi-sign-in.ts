import type { OpenApiFixture } from './openapi-fixture';

/** The query with which the provider sends somebody back. */
export async function signedInQuery({
  callers,
  operator,
  provider,
}: OpenApiFixture): Promise<string> {
  const name = 'Operator';
  await provider.becomes({ sub: 'operator', email: operator.email, email_verified: true, name });
  const begun = await callers.anyone.get('/v1/oauth/login?provider=company');
  return (await provider.signIn(String(begun.authorization_url))).search.slice(1);
}

/** The one-time code that a browser comes back with, and the cookie that it has. */
export async function browserBack({ callers, operator, provider }: OpenApiFixture) {
  const name = 'Operator';
  await provider.becomes({ sub: 'operator', email: operator.email, email_verified: true, name });
  const headers = { accept: 'text/html' };
  const begun = await callers.anyone.request('GET', '/v1/oauth/login', { headers });
  const back = await provider.signIn(begun.headers.get('location') ?? '');
  const cookie = (begun.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const path = `${back.pathname}${back.search}`;
  const ended = await callers.anyone.request('GET', path, { headers: { ...headers, cookie } });
  const code = new URL(ended.headers.get('location') ?? '').searchParams.get('code') ?? '';
  return { body: { code }, headers: { cookie } };
}
