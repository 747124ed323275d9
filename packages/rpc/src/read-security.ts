import { readFileSync } from 'node:fs';
import type { RpcSecurity } from './security';

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
