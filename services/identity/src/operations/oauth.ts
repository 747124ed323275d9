import {
  AppError,
  createId,
  equalText,
  isCode,
  sha256Hex,
  toDisplayName,
  unclaimedEmail,
} from '@tollgate/core';
import { DEFAULT_PLAN } from '../domain/account';
import { type AuditLogEntry, systemEntry } from '../domain/audit-log';
import type { KeyDigester } from '../domain/key-digest';
import {
  OAUTH_CODE_LIFETIME_MS,
  OAUTH_STATE_LIFETIME_MS,
  type OAuthProfile,
  type OAuthState,
  parseCallbackUrl,
  parseRedirectTo,
} from '../domain/oauth';
import type { AuthorizationRequest, OAuthProvider } from '../domain/ports';
import { displayNameOrEmail, normaliseEmail, type User, withChange } from '../domain/user';
import { changeRecord } from './changes';
import type { Dependencies } from './dependencies';
import { openAccount } from './open-account';
import { openSession, type SessionGrant } from './sessions';

/** Logins at outside providers: started, completed at the callback, exchanged for a session. */
export function createOAuthOperations(deps: Dependencies) {
  return {
    listOAuthProviders: async () => deps.providers.map(({ id, name }) => ({ id, name })),
    startOAuth: (input: StartOAuthInput) => startOAuth(deps, input),
    completeOAuth: (input: CompleteOAuthInput) => completeOAuth(deps, input),
    exchangeOAuthCode: (input: ExchangeCodeInput) => exchangeOAuthCode(deps, input),
  };
}

export interface StartOAuthInput {
  readonly provider: string;
  readonly redirectTo: string;
  readonly callbackUrl: string;
  /** The text that ties the login to one browser; empty for JSON clients. */
  readonly browserBinding: string;
}

export interface StartedOAuth {
  readonly authorizationUrl: string;
  readonly state: string;
}

const STATE_BYTES = 32;

/** Begins a login at a provider; the answer's address is where the browser goes. */
async function startOAuth(deps: Dependencies, input: StartOAuthInput): Promise<StartedOAuth> {
  const provider = requireProvider(deps.providers, input.provider);
  const redirectTo = parseRedirectTo(input.redirectTo);
  const callbackUrl = parseCallbackUrl(input.callbackUrl);
  const state = deps.random(STATE_BYTES).toString('base64url');
  const [request] = deriveAuthorizationRequests(deps.digester, state, callbackUrl);
  const authorizationUrl = await provider.authorizationUrl(request);
  await deps.oauth.insertState({
    digest: sha256Hex(state),
    providerId: provider.id,
    redirectTo,
    callbackUrl,
    bindingDigest: input.browserBinding === '' ? '' : sha256Hex(input.browserBinding),
    verifierDigest: sha256Hex(request.codeVerifier),
    expiresAtMs: deps.clock.now() + OAUTH_STATE_LIFETIME_MS,
  });
  return { authorizationUrl, state };
}

function requireProvider(providers: readonly OAuthProvider[], id: string): OAuthProvider {
  const provider = providers.find((candidate) => candidate.id === id);
  if (provider === undefined) {
    throw new AppError('NOT_FOUND', {
      param: 'provider',
      publicMessage: 'This login provider does not exist.',
    });
  }
  return provider;
}

/**
 * The secrets of a login at a provider, derived from its state under each pepper: the store holds
 * digests only, so that a copy of the store completes no login.
 */
function deriveAuthorizationRequests(
  digester: KeyDigester,
  state: string,
  redirectUri: string,
): readonly [AuthorizationRequest, ...AuthorizationRequest[]] {
  const [codeVerifier, ...olderVerifiers] = digester.derive('oauth-code-verifier', state);
  const [nonce, ...olderNonces] = digester.derive('oauth-nonce', state);
  const older = olderVerifiers.map((verifier, index) => ({
    redirectUri,
    state,
    codeVerifier: verifier,
    nonce: olderNonces[index] ?? '',
  }));
  return [{ redirectUri, state, codeVerifier, nonce }, ...older];
}

/** The one that a login was started with, perhaps by a replica with another pepper first. */
function authorizationRequestOf(
  digester: KeyDigester,
  state: OAuthState,
  text: string,
): AuthorizationRequest {
  const requests = deriveAuthorizationRequests(digester, text, state.callbackUrl);
  const begun = requests.find(
    ({ codeVerifier }) => sha256Hex(codeVerifier) === state.verifierDigest,
  );
  return begun ?? requests[0];
}

export interface CompleteOAuthInput {
  /** The whole address as the browser asked for it. */
  readonly callbackUrl: string;
  readonly state: string;
  readonly browserBinding: string;
  /** A browser gets a one-time code in place of the tokens. */
  readonly wantCode: boolean;
}

export interface CompletedOAuth {
  readonly session: SessionGrant | undefined;
  readonly oneTimeCode: string;
  readonly redirectTo: string;
}

/** Ends a login at a provider. The state works once, whatever comes of it. */
async function completeOAuth(
  deps: Dependencies,
  input: CompleteOAuthInput,
): Promise<CompletedOAuth> {
  const state = await deps.oauth.takeState(sha256Hex(input.state));
  if (state === undefined || !isUsable(state, input, deps.clock.now())) {
    throw new AppError('UNAUTHORIZED', {
      publicMessage: 'This login has expired or was not started here. Please start again.',
    });
  }
  const provider = requireProvider(deps.providers, state.providerId);
  const request = authorizationRequestOf(deps.digester, state, input.state);
  // The gateway may know itself under another name than the browser: only the query is used.
  const answer = new URL(state.callbackUrl);
  answer.search = URL.parse(input.callbackUrl, state.callbackUrl)?.search ?? '';
  const user = await resolveUser(deps, await provider.complete(answer.href, request));
  const { redirectTo } = state;
  if (input.wantCode) {
    return { session: undefined, oneTimeCode: await issueCode(deps, user, state), redirectTo };
  }
  return { session: await openSession(deps, user), oneTimeCode: '', redirectTo };
}

/**
 * The browser that started is the browser that ends. A login without a binding was started by a
 * program and is never finished for a browser: that would let one person log another in as himself.
 */
function isUsable(state: OAuthState, input: CompleteOAuthInput, now: number): boolean {
  const presented = input.browserBinding === '' ? '' : sha256Hex(input.browserBinding);
  const bound = equalText(state.bindingDigest, presented);
  const browserNeedsBinding = input.wantCode && state.bindingDigest === '';
  return state.expiresAtMs > now && bound && !browserNeedsBinding;
}

/**
 * The user behind an outside login: the one it is linked to, else the one for whose email somebody
 * vouched and who has its verified email, else, where registration is open, a new one.
 */
async function resolveUser(deps: Dependencies, profile: OAuthProfile): Promise<User> {
  const linked = await deps.users.findByIdentity(profile);
  const user = linked ?? (await linkByEmail(deps, profile)) ?? (await register(deps, profile));
  if (user.status !== 'active') throw new AppError('UNAUTHORIZED');
  return user;
}

async function linkByEmail(deps: Dependencies, profile: OAuthProfile): Promise<User | undefined> {
  const { users, logger } = deps;
  const email = requireVerifiedEmail(profile);
  const found = await users.findByEmail(email);
  // Nobody joins what a stranger set up in the name of an email, not even the email's owner.
  if (!found?.emailProven) return undefined;
  const { issuer, subject } = profile;
  const linked = await changeRecord({
    load: () => users.find(found.id),
    change(user) {
      if (user.identities.some((one) => one.issuer === issuer && one.subject === subject)) {
        return user;
      }
      // Given another email meanwhile: what the provider vouches for is not this user's any more.
      if (user.email !== email || !user.emailProven) throw new AppError('CONFLICT');
      const identities = [...user.identities, { issuer, subject }];
      return withChange(user, { identities });
    },
    write: users.update,
  });
  logger.info({ userId: linked.id, issuer }, 'outside login linked');
  return linked;
}

async function register(deps: Dependencies, profile: OAuthProfile): Promise<User> {
  const email = requireVerifiedEmail(profile);
  if (!deps.registrationOpen) {
    throw new AppError('FORBIDDEN', { publicMessage: 'Registration is closed.' });
  }
  await freeEmail(deps, email);
  const { issuer, subject } = profile;
  const displayName = displayNameOrEmail(toDisplayName(profile.displayName), email);
  const owner = { email, displayName, passwordHash: undefined, identities: [{ issuer, subject }] };
  const opening = {
    id: createId('account'),
    name: displayName,
    plan: DEFAULT_PLAN,
    owner,
    ownerRole: 'owner',
    emailProven: true,
  } as const;
  try {
    return (await openAccount(deps, opening)).owner;
  } catch (error) {
    // A parallel login of the same user was faster.
    const other = isCode(error, 'CONFLICT') ? await deps.users.findByIdentity(profile) : undefined;
    if (other === undefined) throw error;
    return other;
  }
}

/**
 * Takes the email from a user who only says that it is theirs. That user keeps the account, with
 * everything in it, and from now on signs in under an email that stands for nobody.
 */
async function freeEmail(deps: Dependencies, email: string): Promise<void> {
  const { auditLog, clock, users, principalLog, random, logger } = deps;
  const found = await users.findByEmail(email);
  if (found === undefined || found.emailProven) return;
  // An operator's word stands: whom it keeps out does not come in as somebody else.
  if (found.status !== 'active') throw new AppError('UNAUTHORIZED');
  const changed = await changeRecord({
    load: () => users.find(found.id),
    change: (user) =>
      user.email === email && !user.emailProven
        ? withChange(user, { email: unclaimedEmail(random) })
        : user,
    write: users.update,
  });
  if (changed.email !== email) {
    await auditLog.insert(toReleased(changed, email, clock.now()));
  }
  // Gateways show the email of whom they know.
  await principalLog.append([changed.accountId]);
  logger.info({ userId: changed.id }, 'an email went from an unverified user to its owner');
}

/** Nobody who is known here asked for it: the provider said whose email it is. */
function toReleased({ accountId, email, id }: User, taken: string, atMs: number): AuditLogEntry {
  return systemEntry({
    atMs,
    operation: 'email.released',
    accountId,
    resourceType: 'users',
    resourceId: id,
    before: JSON.stringify({ email: taken }),
    after: JSON.stringify({ email }),
  });
}

/** An email that nobody verified proves nothing: it links to nobody and registers nobody. */
function requireVerifiedEmail(profile: OAuthProfile): string {
  const email = normaliseEmail(profile.verifiedEmail ?? '');
  if (email !== undefined) return email;
  throw new AppError('FORBIDDEN', {
    publicMessage: 'The login provider has not verified your email address.',
  });
}

const CODE_BYTES = 32;

async function issueCode(
  { clock, oauth, random }: Dependencies,
  { id: userId }: User,
  { bindingDigest }: OAuthState,
): Promise<string> {
  const code = random(CODE_BYTES).toString('base64url');
  const expiresAtMs = clock.now() + OAUTH_CODE_LIFETIME_MS;
  await oauth.insertCode({ digest: sha256Hex(code), userId, bindingDigest, expiresAtMs });
  return code;
}

export interface ExchangeCodeInput {
  readonly code: string;
  readonly browserBinding: string;
}

/**
 * A browser's one-time code against a session. The code works once, for a minute, and in the browser
 * that began: a link with somebody else's code signs nobody in.
 */
async function exchangeOAuthCode(
  deps: Dependencies,
  { code, browserBinding }: ExchangeCodeInput,
): Promise<SessionGrant> {
  const taken = await deps.oauth.takeCode(sha256Hex(code));
  const isUsable =
    taken !== undefined &&
    taken.expiresAtMs > deps.clock.now() &&
    equalText(taken.bindingDigest, sha256Hex(browserBinding));
  if (!isUsable) throw new AppError('UNAUTHORIZED');
  const user = await deps.users.find(taken.userId);
  if (user?.status !== 'active') throw new AppError('UNAUTHORIZED');
  return openSession(deps, user);
}
