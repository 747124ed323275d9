import { AppError, type Clock, type Logger, waitAtMost } from '@tollgate/core';
import { isAddressLiteral, isForeignPort, isPublicAddress, withoutBrackets } from './address-rules';

/** One answer of name resolution. */
export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Name resolution as a port: all addresses of a host name, or a rejection. */
export type Resolver = (hostname: string) => Promise<readonly ResolvedAddress[]>;

export interface AddressGuardOptions {
  /** Hosts that may be private: `host` (any port) or `host:port`; IPv6 in brackets. */
  readonly allowedPrivateHosts: readonly string[];
  /** The setting that holds them: refusals name it. */
  readonly allowedBy: string;
  /**
   * A name that does not resolve is told apart from a private one; only where operators alone give
   * URLs, because nobody else may map the network.
   */
  readonly tellsUnknownNames?: boolean;
  readonly resolver: Resolver;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** Who gave a URL: an operator is told which setting allows what is refused. */
export type UrlGiver = 'operator' | 'customer';

/** Decides where the product may connect to. */
export interface AddressGuard {
  /** Checks scheme, user info, port and a literal address; throws VALIDATION_ERROR. */
  checkForm(url: string): URL;
  /** `checkForm`, and resolves the name as a connection would; throws VALIDATION_ERROR. */
  checkUrl(url: string, giver?: UrlGiver): Promise<URL>;
  /** Resolves a name for a connection; rejects with AddressRefusedError. */
  resolve(hostname: string, port: number): Promise<readonly ResolvedAddress[]>;
  /** Checks one address that is about to be, or has been, connected; throws AddressRefusedError. */
  checkAddress(hostname: string, port: number, address: string): void;
}

/** Text for clients. */
const REFUSAL_SENTENCES = {
  malformed: 'This is not a valid absolute URL.',
  scheme: 'The URL must start with http:// or https://.',
  userInfo: 'The URL must not contain a user name or a password.',
  origin: 'The URL must be an origin without path, query or fragment.',
  port: 'The port of this URL belongs to another protocol than HTTP.',
} as const;

/** A name or address that the guard refuses; its message is for logs, never for clients. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError';
  /** Whether the guard's setting would allow it. */
  readonly isPrivate: boolean;

  constructor(message: string, { isPrivate }: { readonly isPrivate: boolean }) {
    super(message);
    this.isPrivate = isPrivate;
  }
}

/** Longest host name that DNS knows; anything longer is not worth a look-up. */
const HOSTNAME_LENGTH_MAX = 253;
/** How long a client waits for the check of a URL before it is refused. */
const CHECK_TIMEOUT_MS = 5_000;
/** A name with more addresses than this is not a server but an attempt at something. */
const ADDRESSES_MAX = 64;

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** The port that a URL leads to, the scheme's own when none is written. */
export function portOf(url: URL): number {
  return url.port === '' ? (DEFAULT_PORTS[url.protocol] ?? 0) : Number(url.port);
}

export function createAddressGuard(options: AddressGuardOptions): AddressGuard {
  const { allowedBy } = options;
  const allowed = new Set(options.allowedPrivateHosts.map(fromAllowedHost));
  const mayBePrivate = (hostname: string, port: number): boolean => {
    const host = normalizeHost(hostname);
    return allowed.has(host) || allowed.has(`${host}:${port}`);
  };

  const settingFor = (giver: UrlGiver) => (giver === 'operator' ? allowedBy : undefined);

  const checkAddress = (hostname: string, port: number, address: string): void => {
    if (isPublicAddress(address) || mayBePrivate(hostname, port)) return;
    // Loggers take `hostname` for the name of the machine that wrote the line.
    const refused = { host: hostname, port, address, allowedBy };
    options.logger.warn(refused, 'egress refused a private address');
    const message = `${hostname}:${port} leads to ${address}, which is not public`;
    throw new AddressRefusedError(message, { isPrivate: true });
  };

  const checkForm = (text: string, giver: UrlGiver): URL => {
    const url = URL.parse(text);
    if (url === null) throw refusal('malformed', 'not a URL');
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      throw refusal('scheme', `scheme ${url.protocol}`);
    }
    if (url.username !== '' || url.password !== '') throw refusal('userInfo', 'user info in a URL');
    // The URL parser has already turned decimal, octal, hex and short IPv4 into dotted form.
    if (isAddressLiteral(url.hostname)) {
      try {
        checkAddress(url.hostname, portOf(url), url.hostname);
      } catch (error) {
        throw refusedHost(settingFor(giver), 'a literal address that is not public', error);
      }
    }
    // Of a host that an operator named, the port is the operator's to choose.
    if (isForeignPort(portOf(url)) && !mayBePrivate(url.hostname, portOf(url))) {
      throw refusal('port', 'a port of another protocol');
    }
    return url;
  };

  const resolve = async (hostname: string, port: number): Promise<readonly ResolvedAddress[]> => {
    if (hostname.length > HOSTNAME_LENGTH_MAX) {
      throw refusedName('host name longer than DNS allows');
    }
    const answers = await options.resolver(hostname);
    if (answers.length === 0) throw refusedName(`${hostname} has no address`);
    if (answers.length > ADDRESSES_MAX) throw refusedName('too many addresses');
    // One private address among several refuses the name: which one is dialled is chance.
    for (const { address } of answers) checkAddress(hostname, port, address);
    return answers;
  };

  return {
    checkForm: (text) => checkForm(text, 'operator'),
    resolve,
    checkAddress,
    async checkUrl(text, giver = 'operator') {
      const url = checkForm(text, giver);
      if (isAddressLiteral(url.hostname)) return url;
      const resolution = resolve(url.hostname, portOf(url));
      try {
        if (!(await waitAtMost(options.clock, CHECK_TIMEOUT_MS, resolution))) {
          throw new Error(`no name resolution within ${CHECK_TIMEOUT_MS} ms`);
        }
        await resolution;
      } catch (error) {
        const refused = error instanceof AddressRefusedError ? error : undefined;
        if (options.tellsUnknownNames && refused === undefined) {
          throw unknownHost(url.hostname, error);
        }
        // The setting allows no name of too many addresses.
        const setting = refused?.isPrivate === false ? undefined : settingFor(giver);
        throw refusedHost(setting, 'the name does not resolve to public addresses', error);
      }
      return url;
    },
  };
}

/** Hosts compare in lower case and without DNS's optional final dot. */
function normalizeHost(hostname: string): string {
  const host = withoutBrackets(hostname).toLowerCase();
  const plain = host.endsWith('.') ? host.slice(0, -1) : host;
  return plain.includes(':') ? `[${plain}]` : plain;
}

/** Reads one entry of the allow-list; throws RangeError, because a typo there must not pass. */
function fromAllowedHost(entry: string): string {
  const url = URL.parse(`http://${entry}/`);
  const plain = url !== null && url.pathname === '/' && url.username === '' && url.hash === '';
  if (url === null || !plain || url.search !== '' || url.hostname === '') {
    throw new RangeError(`not a host or host:port: ${entry}`);
  }
  const host = normalizeHost(url.hostname);
  // The URL parser drops port 80 as the default of http, so the port is read from the text.
  const port = /:(\d{1,5})$/.exec(entry)?.[1];
  return port === undefined || entry.endsWith(']') ? host : `${host}:${Number(port)}`;
}

const refusedName = (message: string) => new AddressRefusedError(message, { isPrivate: false });

function refusal(kind: keyof typeof REFUSAL_SENTENCES, internal: string): AppError {
  return new AppError('VALIDATION_ERROR', {
    publicMessage: REFUSAL_SENTENCES[kind],
    internalMessage: `egress: ${internal}`,
  });
}

function unknownHost(hostname: string, cause: unknown): AppError {
  return new AppError('VALIDATION_ERROR', {
    publicMessage: `${hostname} does not resolve: look at its spelling, and at the DNS that this product asks.`,
    internalMessage: 'egress: the name does not resolve',
    cause,
  });
}

/** One sentence for every host, so that nobody can map a network by it. */
function refusedHost(allowedBy: string | undefined, internal: string, cause: unknown): AppError {
  const rule =
    allowedBy === undefined ? ': its address must be public' : `; ${allowedBy} allows private ones`;
  return new AppError('VALIDATION_ERROR', {
    publicMessage: `The host of this URL cannot be used${rule}.`,
    internalMessage: `egress: ${internal}`,
    cause,
  });
}

/** Refuses a URL that says more than where to connect: its path would be ignored silently. */
export function requireOrigin(url: URL): URL {
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    throw refusal('origin', 'origin with a path');
  }
  return url;
}
