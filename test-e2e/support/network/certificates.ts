import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../run-command';

const TIMEOUT_MS = 30_000;
const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
/** By which every server of this machine is dialled. */
const ALSO = 'subjectAltName=IP:127.0.0.1,DNS:localhost';

/** PEM files of one certificate. */
export interface Certificate {
  readonly certFile: string;
  readonly keyFile: string;
  /** Key and certificate in one file. */
  readonly bothFile: string;
}

/** An authority of one test run, by the openssl of the machine. */
export interface CertificateAuthority {
  readonly caFile: string;
  /** A certificate whose common name is the given one. */
  issue(name: string): Promise<Certificate>;
}

/** Makes the authority's own key; all files lie in the directory. */
export async function createAuthority(directory: string): Promise<CertificateAuthority> {
  const openssl = (...args: string[]) => runCommand('openssl', args, { timeoutMs: TIMEOUT_MS });
  const fileOf = (name: string) => join(directory, name);
  const [caKey, caFile] = [fileOf('authority.key'), fileOf('authority.pem')];
  const subject = (name: string) => ['-subj', `/CN=${name}`];
  await openssl(
    'req',
    '-x509',
    '-days',
    '2',
    ...KEY,
    '-keyout',
    caKey,
    ...subject('authority'),
    '-out',
    caFile,
  );
  return {
    caFile,
    async issue(name) {
      const [keyFile, certFile, bothFile] = [`${name}.key`, `${name}.pem`, `${name}.both`].map(
        fileOf,
      );
      if (keyFile === undefined || certFile === undefined || bothFile === undefined)
        throw new Error(name);
      const request = fileOf(`${name}.csr`);
      await openssl(
        'req',
        ...KEY,
        '-keyout',
        keyFile,
        ...subject(name),
        '-addext',
        ALSO,
        '-out',
        request,
      );
      const signer = ['-CA', caFile, '-CAkey', caKey, '-days', '2', '-copy_extensions', 'copy'];
      const certificate = await openssl('x509', '-req', '-in', request, ...signer);
      writeFileSync(certFile, certificate);
      writeFileSync(bothFile, (await openssl('pkey', '-in', keyFile)) + certificate);
      return { keyFile, certFile, bothFile };
    },
  };
}
