import { isObject, parseJson } from '@tollgate/core';

/** One configured login provider. */
export type OAuthProviderSettings = OidcSettings | GithubSettings;

interface ClientSettings {
  /** As in the address of a login: `?provider=<id>`. */
  readonly id: string;
  /** As people read it on the button. */
  readonly name: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Any provider with OpenID Connect discovery. */
export interface OidcSettings extends ClientSettings {
  readonly kind: 'oidc';
  readonly issuer: string;
}

/** GitHub has OAuth but no OpenID Connect; the base addresses differ for its on-premises edition. */
export interface GithubSettings extends ClientSettings {
  readonly kind: 'github';
  readonly webUrl: string;
  readonly apiUrl: string;
}

const ID = /^[a-z0-9][a-z0-9-]{0,31}$/;
const PROVIDERS_MAX = 20;

/**
 * Reads the providers' JSON: an array of `{"id", "name", "issuer", "client_id", "client_secret"}`,
 * or with `"preset": "github"` in place of the issuer. Its errors repeat no value.
 */
export function parseOAuthSettings(json: string): readonly OAuthProviderSettings[] {
  // The parser's own message would repeat a part of the secret text.
  const value = parseJson(json);
  if (value === undefined) throw new Error('must be JSON');
  if (!Array.isArray(value) || value.length > PROVIDERS_MAX) {
    throw new Error(`must be a JSON array of at most ${PROVIDERS_MAX} providers`);
  }
  const providers = value.map((entry: unknown, index) => parseEntry(entry, index + 1));
  const ids = new Set(providers.map(({ id }) => id));
  if (ids.size !== providers.length) throw new Error('each provider needs an id of its own');
  return providers;
}

function parseEntry(entry: unknown, position: number): OAuthProviderSettings {
  const fields = new Map<string, unknown>(isObject(entry) ? Object.entries(entry) : []);
  const text = (name: string, fallback?: string): string => {
    const value = fields.get(name) ?? fallback;
    if (typeof value === 'string' && value !== '') return value;
    throw new Error(`provider ${position} needs the text ${name}`);
  };
  const address = (name: string, fallback?: string): string => {
    const url = URL.parse(text(name, fallback));
    if (url?.protocol === 'https:' || url?.protocol === 'http:') return url.href;
    throw new Error(`provider ${position} needs an http or https address in ${name}`);
  };
  const preset = fields.get('preset');
  if (preset !== undefined && preset !== 'github') {
    throw new Error(`provider ${position} has an unknown preset: only github is known`);
  }
  const id = text('id', preset === 'github' ? 'github' : undefined);
  if (!ID.test(id)) throw new Error(`provider ${position} needs an id of a-z, 0-9 and dashes`);
  const client = {
    id,
    name: text('name', preset === 'github' ? 'GitHub' : id),
    clientId: text('client_id'),
    clientSecret: text('client_secret'),
  };
  if (preset === undefined) return { ...client, kind: 'oidc', issuer: address('issuer') };
  return {
    ...client,
    kind: 'github',
    webUrl: address('web_url', 'https://github.com'),
    apiUrl: address('api_url', 'https://api.github.com'),
  };
}
