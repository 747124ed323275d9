import type { GivenValue } from '@tollgate/config';
import { AppError, type ChannelType, type RealChannelType } from '@tollgate/core';
import type { ModelListing } from '../domain/ports';
import type { NamedModel } from './first-models';

/** A vendor as the environment describes it. */
export interface FirstVendor {
  /** What its channel is called. */
  readonly name: string;
  readonly type: ChannelType;
  /** Undefined is the type's own vendor, and for a simulator that it has no address. */
  readonly baseUrl: string | undefined;
  readonly credential: string | undefined;
  /** Undefined asks the vendor for its list. */
  readonly models: readonly NamedModel[] | undefined;
  /** The one of `TOLLGATE_INIT_CHANNEL_*`, whose models can be named as well. */
  readonly isDescribed: boolean;
  /** What the person who starts calls these settings. */
  readonly variables: { readonly address: string; readonly credential: string };
}

/** What the environment says of vendors. */
export interface VendorEnvironment {
  readonly initChannelType: ChannelType;
  readonly initChannelBaseUrl: GivenValue<string> | undefined;
  readonly initChannelCredential: GivenValue<string> | undefined;
  readonly initChannelModels: readonly NamedModel[] | undefined;
  readonly anthropicBaseUrl: string | undefined;
  readonly anthropicApiKey: GivenValue<string> | undefined;
  readonly geminiBaseUrl: string | undefined;
  readonly geminiApiKey: GivenValue<string> | undefined;
  readonly simulatorBaseUrl: string | undefined;
}

/** Where a vendor answers, by the protocol that it speaks: a credential goes to its own vendor. */
const VENDOR_BASE_URLS: Readonly<Record<RealChannelType, string>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  gemini: 'https://generativelanguage.googleapis.com/v1beta',
};

/** The vendors that the environment names, each once, in the order of their channels. */
export function firstVendorsIn(environment: VendorEnvironment): readonly FirstVendor[] {
  const { anthropicBaseUrl, anthropicApiKey, geminiBaseUrl, geminiApiKey } = environment;
  const named: FirstVendor[] = [...describedVendor(environment)];
  if (anthropicApiKey !== undefined) {
    named.push({
      name: 'anthropic',
      type: 'anthropic',
      baseUrl: withVersion(anthropicBaseUrl, 'v1') ?? VENDOR_BASE_URLS.anthropic,
      credential: anthropicApiKey.value,
      models: undefined,
      isDescribed: false,
      variables: { address: 'ANTHROPIC_BASE_URL', credential: anthropicApiKey.variable },
    });
  }
  if (geminiApiKey !== undefined) {
    named.push({
      name: 'gemini',
      type: 'gemini',
      baseUrl: withVersion(geminiBaseUrl, 'v1beta') ?? VENDOR_BASE_URLS.gemini,
      credential: geminiApiKey.value,
      models: undefined,
      isDescribed: false,
      variables: { address: 'GOOGLE_GEMINI_BASE_URL', credential: geminiApiKey.variable },
    });
  }
  return named.filter(
    (vendor, place) => named.findIndex((other) => isSameVendor(other, vendor)) === place,
  );
}

/** One address may speak several protocols, as proxies do. */
export function isSameVendor(
  one: Pick<FirstVendor, 'type' | 'baseUrl'>,
  other: Pick<FirstVendor, 'type' | 'baseUrl'>,
): boolean {
  return one.type === other.type && one.baseUrl === other.baseUrl;
}

/** The one that `TOLLGATE_INIT_CHANNEL_*` and the variables of OpenAI's libraries describe. */
function describedVendor(environment: VendorEnvironment): readonly FirstVendor[] {
  const { initChannelType: type, initChannelModels: models, simulatorBaseUrl } = environment;
  const { initChannelBaseUrl: address, initChannelCredential: credential } = environment;
  if (address === undefined && credential === undefined) return [];
  const own = type === 'simulator' ? simulatorBaseUrl : VENDOR_BASE_URLS[type];
  const unset =
    type === 'openai'
      ? { address: 'OPENAI_BASE_URL', credential: 'OPENAI_API_KEY' }
      : {
          address: 'TOLLGATE_INIT_CHANNEL_BASE_URL',
          credential: 'TOLLGATE_INIT_CHANNEL_CREDENTIAL',
        };
  const described: FirstVendor = {
    name: 'first channel',
    type,
    baseUrl: address?.value ?? own,
    credential: credential?.value,
    models,
    isDescribed: true,
    variables: {
      address: address?.variable ?? unset.address,
      credential: credential?.variable ?? unset.credential,
    },
  };
  return [described];
}

/** The vendors' own libraries take an address without the version and append it. */
function withVersion(baseUrl: string | undefined, version: string): string | undefined {
  if (baseUrl === undefined || URL.parse(baseUrl)?.pathname !== '/') return baseUrl;
  return new URL(version, baseUrl).href;
}

const ALLOWED_BY = 'TOLLGATE_EGRESS_ALLOWED_HOSTS';

/** Why the address may not be called, and what to do about it. */
export function addressFault(error: unknown, baseUrl: string): string {
  if (!(error instanceof AppError)) throw error;
  const host = URL.parse(baseUrl)?.hostname ?? '';
  // Only the refusal of a private address names the setting; any other says its own cause.
  if (host === '' || !error.publicMessage.includes(ALLOWED_BY)) return error.publicMessage;
  return `${host} is not public: a private host is allowed by ${ALLOWED_BY}=${host}`;
}

/** Why there is no list of models, and what to do about it. */
export function listingFault(
  { error, httpStatus }: ModelListing,
  { isDescribed, variables }: FirstVendor,
  baseUrl: string,
): string {
  const instead = isDescribed ? ', or set TOLLGATE_INIT_CHANNEL_MODELS' : '';
  if (httpStatus === null) {
    return `${URL.parse(baseUrl)?.host} does not answer: check ${variables.address}${instead}`;
  }
  if (httpStatus === 401 || httpStatus === 403) {
    return `the vendor answered ${httpStatus}: check ${variables.credential}`;
  }
  if (httpStatus === 200 && error === '') {
    const named = isDescribed ? '; set TOLLGATE_INIT_CHANNEL_MODELS' : '';
    return `the vendor lists no model that can be named here${named}`;
  }
  const answered = httpStatus === 200 ? 'without a list of models' : String(httpStatus);
  // Clients append their paths to an address with the version in it.
  const form = /\/v\d\w*\/?$/.test(baseUrl) ? '' : ' (it usually ends in /v1)';
  return `the vendor answered ${answered}: check ${variables.address}${form}${instead}`;
}
