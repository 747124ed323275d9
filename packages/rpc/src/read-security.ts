import { readFileSync } from 'node:fs';
import type { RpcSecurity } from './security';

/** The configuration members that say how service calls are protected. */
export interface RpcSecurityConfig {
  readonly serviceSecret: string;
  readonly insecureRpc: boolean;
  readonly tlsCertFile: string | undefined;
  readonly tlsKeyFile: string | undefined;
  readonly tlsCaFile: string | undefined;
}

/** Reads the PEM files; throws when only some of the three are named or one cannot be read. */
export function readRpcSecurity(config: RpcSecurityConfig): RpcSecurity {
  const { serviceSecret, insecureRpc: plaintext } = config;
  const { tlsCertFile, tlsKeyFile, tlsCaFile } = config;
  if (tlsCertFile === undefined && tlsKeyFile === undefined && tlsCaFile === undefined) {
    return { serviceSecret, plaintext };
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
  return { serviceSecret, plaintext, tls };
}
