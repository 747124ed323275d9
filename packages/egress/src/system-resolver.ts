import { Resolver as DnsClient, lookup } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { ResolvedAddress, Resolver } from './address-guard';

/** Where names are looked up; tests bring their own. */
export interface SystemResolverOptions {
  readonly hostsFile?: string;
  /** Name servers as `address:port`; those of the system when absent. */
  readonly servers?: readonly string[];
  /** The operating system's own look-up, which knows search domains and local names too. */
  readonly lookUp?: Resolver;
}

const HOSTS_FILE = '/etc/hosts';
const DNS_OPTIONS = { timeout: 2_000, tries: 2 };
/** The name server could not be asked; the operating system would wait for it as well. */
const SILENT = new Set(['ETIMEOUT', 'ECANCELLED']);

/**
 * Looks names up in the hosts file and then by DNS. The operating system's own look-up holds one of
 * the few threads that also write the usage spool and check passwords, for as long as a name server
 * is silent; it is asked only when DNS gave no address and no name server was silent.
 */
export function createSystemResolver(options: SystemResolverOptions = {}): Resolver {
  const { hostsFile = HOSTS_FILE, servers, lookUp = lookUpBySystem } = options;
  return async (hostname) => {
    const fixed = addressesIn(hostsFile, hostname);
    if (fixed.length > 0) return fixed;
    // Made for each look-up, so that a change of the name servers is seen at once.
    const dns = new DnsClient(DNS_OPTIONS);
    if (servers !== undefined) dns.setServers(servers);
    const answers = await Promise.allSettled([dns.resolve4(hostname), dns.resolve6(hostname)]);
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (found.length > 0) return found.map(toResolved);
    for (const answer of answers) {
      if (answer.status === 'fulfilled') continue;
      const failure = answer.reason as NodeJS.ErrnoException;
      if (SILENT.has(failure.code ?? '')) throw failure;
    }
    return lookUp(hostname);
  };
}

async function lookUpBySystem(hostname: string): Promise<readonly ResolvedAddress[]> {
  const answers = await lookup(hostname, { all: true });
  return answers.map(({ address }) => toResolved(address));
}

/** Read anew each time: it is short, and connections are kept, so names are seldom looked up. */
function addressesIn(hostsFile: string, hostname: string): readonly ResolvedAddress[] {
  const name = hostname.toLowerCase();
  const lines = readHosts(hostsFile).split('\n');
  return lines.flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const isMeant = names.some((each) => each.toLowerCase() === name);
    return isMeant && isIP(address) !== 0 ? [toResolved(address)] : [];
  });
}

function readHosts(hostsFile: string): string {
  try {
    return readFileSync(hostsFile, 'utf8');
  } catch {
    // A system without the file has no names in it.
    return '';
  }
}

function toResolved(address: string): ResolvedAddress {
  return { address, family: isIP(address) === 6 ? 6 : 4 };
}
