import { lookup } from 'node:dns/promises';

const DNS = /^dns:\/\/\/(.+):(\d+)$/;

/**
 * The addresses behind a configured one: `dns:///name:port` gives every address that the name has
 * now, anything else is one instance as it stands. Rejects when the name does not resolve.
 */
export async function resolveInstances(address: string): Promise<readonly string[]> {
  const match = DNS.exec(address);
  if (match === null) return [address];
  const [, host = '', port] = match;
  const ips = await lookup(host, { all: true });
  return ips
    .map(({ address: ip, family }) => (family === 6 ? `[${ip}]:${port}` : `${ip}:${port}`))
    .sort();
}
