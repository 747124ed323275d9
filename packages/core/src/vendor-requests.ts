/**
 * Where vendors are asked, and by which headers they know who asks: for the calls of completion and
 * for the checks of routing alike. The bodies are their own, but for the name of the member that
 * bounds an answer.
 */

/** What of a channel decides where its vendor is asked, and as whom. */
export interface AddressedChannel {
  readonly baseUrl: string;
  /** Empty for a vendor that wants none. */
  readonly credential: string;
}

export interface VendorTarget {
  /** Begins with a slash; it follows the path of the channel's base URL. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A base URL without its query, which is no part of any address under it. */
export interface VendorBase {
  readonly origin: string;
  /** Without a slash at its end. */
  readonly path: string;
}

/** Throws for what is no URL. */
export function vendorBaseOf(baseUrl: string): VendorBase {
  const { origin, pathname } = new URL(baseUrl);
  return { origin, path: pathname.replace(/\/+$/, '') };
}

/** The chat-completions protocol, and the variant of it that Azure speaks. */
export function openaiTarget(
  { baseUrl, credential }: AddressedChannel,
  method: 'chat/completions' | 'embeddings',
  upstreamName: string,
): VendorTarget {
  const version = azureVersionOf(baseUrl);
  if (version === undefined) return { path: `/${method}`, headers: bearer(credential) };
  const deployment = encodeURIComponent(upstreamName);
  return {
    path: `/deployments/${deployment}/${method}?api-version=${encodeURIComponent(version)}`,
    headers: withCredential('api-key', credential),
  };
}

/** Azure's interface has a version, which its base URL bears; without one it is no Azure. */
function azureVersionOf(baseUrl: string): string | undefined {
  if (!baseUrl.includes('?')) return undefined;
  return new URL(baseUrl).searchParams.get('api-version') || undefined;
}

/** The list of models of OpenAI's protocol; Azure has none of what it deployed. */
export function openaiModelsTarget(credential: string): VendorTarget {
  return { path: '/models', headers: bearer(credential) };
}

const ANTHROPIC_VERSION = '2023-06-01';

/** The Messages protocol; the base URL ends in the version of the path. */
export function anthropicTarget(credential: string, method: 'messages' | 'models'): VendorTarget {
  return {
    path: `/${method}`,
    headers: {
      ...withCredential('x-api-key', credential),
      'anthropic-version': ANTHROPIC_VERSION,
    },
  };
}

export type GeminiMethod =
  | 'generateContent'
  | 'streamGenerateContent?alt=sse'
  | 'embedContent'
  | 'batchEmbedContents';

/** The generateContent protocol; the base URL ends in its version. */
export function geminiTarget(
  credential: string,
  method: GeminiMethod,
  upstreamName: string,
): VendorTarget {
  const resource = geminiResourceOf(upstreamName).split('/').map(encodeURIComponent).join('/');
  return { ...geminiModelsTarget(credential), path: `/${resource}:${method}` };
}

/** The name of a model in the protocol; one with a slash is a resource already, as tuned models are. */
export function geminiResourceOf(upstreamName: string): string {
  return upstreamName.includes('/') ? upstreamName : `models/${upstreamName}`;
}

export function geminiModelsTarget(credential: string): VendorTarget {
  return { path: '/models', headers: withCredential('x-goog-api-key', credential) };
}

function bearer(credential: string): VendorTarget['headers'] {
  return withCredential('authorization', credential, 'Bearer ');
}

function withCredential(name: string, credential: string, scheme = ''): VendorTarget['headers'] {
  return credential === '' ? {} : { [name]: `${scheme}${credential}` };
}

/** Also behind the name of who made the model, as some vendors list it: `openai/o3`. */
const THINKING_MODEL = /(?:^|\/)(?:o\d|gpt-[5-9])/;
/** Declared by the operator of a channel whose names of models say nothing. */
const THINKING_CAPABILITY = 'max_completion_tokens';

/**
 * The member of OpenAI's protocol that says how long an answer may be. Models whose thoughts count
 * in it refuse `max_tokens`. The name is the vendor's.
 */
export function answerBoundOf(
  { capabilities }: { readonly capabilities: readonly string[] },
  upstreamName: string,
): 'max_tokens' | 'max_completion_tokens' {
  const isThinking =
    THINKING_MODEL.test(upstreamName) || capabilities.includes(THINKING_CAPABILITY);
  return isThinking ? 'max_completion_tokens' : 'max_tokens';
}
