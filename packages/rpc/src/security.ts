import { createHmac, createSecretKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ChannelCredentials, ServerCredentials } from '@grpc/grpc-js';
import { equalText, SERVICE_NAMES, type ServiceName } from '@tollgate/core';
import type { ServerCall } from './call-info';

/** PEM contents for mutual TLS; the certificate's common name is the service's name. */
export interface RpcTls {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly ca: Buffer;
}

/** How peers prove who they are. */
export interface RpcSecurity {
  /** Shared by the services of one deployment; signs each peer's name. */
  readonly serviceSecret: string;
  /** The one before, while replicas that know nothing newer are replaced. */
  readonly previousSecret?: string | undefined;
  /** Allows unencrypted TCP. Unix sockets are always allowed. */
  readonly plaintext: boolean;
  readonly tls?: RpcTls | undefined;
}

/** True for addresses that never leave this machine's file system. */
function isUnixAddress(address: string): boolean {
  return address.startsWith('unix:');
}

/**
 * The token by which `ownName` names itself: the name and its HMAC-SHA256 under each secret, joined
 * by dots. A peer that knows either secret accepts it.
 */
export function createServiceToken(security: RpcSecurity, ownName: ServiceName): string {
  return [ownName, ...signaturesOf(security, ownName)].join('.');
}

function signaturesOf(
  { serviceSecret, previousSecret }: RpcSecurity,
  name: ServiceName,
): readonly string[] {
  const secrets = previousSecret === undefined ? [serviceSecret] : [serviceSecret, previousSecret];
  return secrets.map((secret) => {
    const key = createSecretKey(Buffer.from(secret, 'utf8'));
    return createHmac('sha256', key).update(name).digest('base64url');
  });
}

/** As many as a peer has secrets. */
const SIGNATURES_MAX = 2;

/** Checks tokens in constant time; remembers good ones. */
export function createPeerVerifier(
  security: RpcSecurity,
): (call: ServerCall, token: string | undefined) => ServiceName | undefined {
  const verified = new Map<string, ServiceName>();
  return (call, token) => {
    if (security.tls !== undefined) {
      const name = call.getAuthContext().sslPeerCertificate?.subject.CN;
      if (typeof name === 'string' && isServiceName(name)) return name;
    }
    if (token === undefined) return undefined;
    const known = verified.get(token);
    if (known !== undefined) return known;
    const [name = '', ...presented] = token.split('.');
    if (!isServiceName(name) || presented.length > SIGNATURES_MAX) return undefined;
    const expected = signaturesOf(security, name);
    if (!presented.some((one) => expected.some((other) => equalText(one, other)))) return undefined;
    verified.set(token, name);
    return name;
  };
}

/** Credentials to listen with; throws when plaintext TCP was not opted into. */
export function serverCredentials(address: string, security: RpcSecurity): ServerCredentials {
  if (isUnixAddress(address)) return ServerCredentials.createInsecure();
  if (security.tls !== undefined) {
    const { ca, cert, key } = security.tls;
    return ServerCredentials.createSsl(ca, [{ cert_chain: cert, private_key: key }], true);
  }
  requirePlaintext(address, security);
  return ServerCredentials.createInsecure();
}

/** Credentials to dial with; throws when plaintext TCP was not opted into. */
export function channelCredentials(address: string, security: RpcSecurity): ChannelCredentials {
  if (isUnixAddress(address)) return ChannelCredentials.createInsecure();
  if (security.tls !== undefined) {
    const { ca, cert, key } = security.tls;
    return ChannelCredentials.createSsl(ca, key, cert);
  }
  requirePlaintext(address, security);
  return ChannelCredentials.createInsecure();
}

function requirePlaintext(address: string, security: RpcSecurity): void {
  if (security.plaintext) return;
  throw new Error(
    `${address} would carry service calls unencrypted: set TOLLGATE_TLS_CERT_FILE, _KEY_FILE and ` +
      '_CA_FILE, or TOLLGATE_RPC_PLAINTEXT=true where the network is trusted',
  );
}

/** Narrows a name from a token or a certificate. */
function isServiceName(text: string): text is ServiceName {
  return (SERVICE_NAMES as readonly string[]).includes(text);
}

/** The configuration members that say how service calls are protected. */
export interface RpcSecurityConfig {
  readonly serviceSecret: string;
  readonly previousServiceSecret: string | undefined;
  readonly plaintextRpc: boolean;
  readonly tlsCertFile: string | undefined;
  readonly tlsKeyFile: string | undefined;
  readonly tlsCaFile: string | undefined;
}

/** Reads the PEM files; throws when only some of the three are named or one cannot be read. */
export function readRpcSecurity(config: RpcSecurityConfig): RpcSecurity {
  const { serviceSecret, previousServiceSecret: previousSecret, plaintextRpc: plaintext } = config;
  const secrets = { serviceSecret, previousSecret };
  const { tlsCertFile, tlsKeyFile, tlsCaFile } = config;
  if (tlsCertFile === undefined && tlsKeyFile === undefined && tlsCaFile === undefined) {
    return { ...secrets, plaintext };
  }
  if (tlsCertFile === undefined || tlsKeyFile === undefined || tlsCaFile === undefined) {
    throw new Error(
      'mutual TLS needs TOLLGATE_TLS_CERT_FILE, TOLLGATE_TLS_KEY_FILE and TOLLGATE_TLS_CA_FILE',
    );
  }
  const tls = {
    cert: readFileSync(tlsCertFile),
    key: readFileSync(tlsKeyFile),
    ca: readFileSync(tlsCaFile),
  };
  return { ...secrets, plaintext, tls };
}
