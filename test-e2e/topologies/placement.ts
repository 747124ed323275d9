import { randomInt } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findQuietPort } from '../support/network/free-port';
import { REPOSITORY } from '../support/repository';
import {
  type InstanceName,
  isRpcService,
  type Replicas,
  RPC_SERVICES,
  type RpcServiceName,
  SERVICES,
  type ServiceName,
  serviceOf,
} from './instances';
import { type SlowNetwork, startSlowLink } from './slow-link';
import { startTcpBalancer } from './tcp-balancer';

const NAME_TABLE = join(REPOSITORY, 'test-e2e/topologies/name-table.cjs');
const CLOCK_OFFSET = join(REPOSITORY, 'test-e2e/support/clock-offset.cjs');

/** What is unusual about the machines. */
export interface PlacementOptions {
  /** How many processes of each service there are; one when absent. */
  readonly replicas?: Replicas;
  /** Between the services that have replicas; a quick and true one when absent. */
  readonly network?: SlowNetwork;
  /** Instances whose wall clock is wrong, by how many milliseconds. */
  readonly clockOffsetMs?: Readonly<Partial<Record<InstanceName, number>>>;
  /** Instances that run another version, each with that version's program. */
  readonly programs?: Readonly<Partial<Record<InstanceName, string>>>;
  /** What only one service is told, as its certificate. */
  readonly environments?: Readonly<Partial<Record<ServiceName, Readonly<Record<string, string>>>>>;
}

/**
 * Where processes listen and how they find each other, as a cluster arranges it: a service with
 * replicas has one name and one port, and the name has an address for each replica that is ready.
 * Its gateways stand behind one address for new connections.
 */
export interface Placement {
  /** In the order of their start; those of one service follow each other. */
  readonly names: readonly InstanceName[];
  readonly baseUrl: string;
  /** Of each gateway. */
  readonly gatewayUrls: readonly string[];
  environmentOf(name: InstanceName): Readonly<Record<string, string>>;
  /** From now on others find it. */
  announce(name: InstanceName): Promise<void>;
  /** New connections no longer lead to it; those that it has stay. */
  withdraw(name: InstanceName): void;
  /** Its next process has another address, as a new pod does. */
  move(name: InstanceName): void;
  close(): void;
}

/** Decides it all; nothing is found before it is announced. */
export async function createPlacement(
  directory: string,
  ports: Readonly<Record<RpcServiceName | 'http', number>>,
  { replicas = {}, network, clockOffsetMs = {}, environments = {} }: PlacementOptions,
): Promise<Placement> {
  const countOf = (service: RpcServiceName) => replicas[service] ?? 1;
  const shared = RPC_SERVICES.filter((service) => countOf(service) > 1);
  const names = SERVICES.flatMap((service) =>
    instancesOf(service, service === 'simulator' ? 1 : (replicas[service] ?? 1)),
  );
  const takeAddress = createLoopbackAddresses();
  const addresses = new Map(names.map((name) => [name, takeAddress()]));
  const addressOf = (name: InstanceName) => addresses.get(name) ?? '127.0.0.1';
  const table = createNameTable(join(directory, 'names.json'), shared);
  const gateways = await placeGateways(names, ports.http);
  const links: { close(): void }[] = [];

  const listenOf = (name: InstanceName): Record<string, string> => {
    const service = serviceOf(name);
    if (!isRpcService(service) || !shared.includes(service)) return {};
    const listen = `${addressOf(name)}:${ports[service]}`;
    if (service !== 'completion') return { [`${service.toUpperCase()}_LISTEN`]: listen };
    return { COMPLETION_LISTEN: listen, TOLLGATE_COMPLETION_ADVERTISED_ADDRESS: listen };
  };
  const reachable = async (name: InstanceName, service: RpcServiceName): Promise<string> => {
    if (network === undefined) return addressOf(name);
    const address = takeAddress();
    const from = { host: address, port: ports[service] };
    links.push(await startSlowLink(from, { ...from, host: addressOf(name) }, network));
    return address;
  };
  return {
    names,
    baseUrl: gateways.baseUrl,
    gatewayUrls: gateways.urls,
    environmentOf: (name) => ({
      ...Object.fromEntries(
        shared.map((service) => [`${service.toUpperCase()}_ADDRESS`, nameOf(service, ports)]),
      ),
      ...listenOf(name),
      ...gateways.environmentOf(name),
      ...environments[serviceOf(name)],
      ...preloads(shared.length > 0 ? table.path : undefined, clockOffsetMs[name]),
    }),
    async announce(name) {
      const service = serviceOf(name);
      if (service === 'gateway') gateways.announce(name);
      if (!isRpcService(service) || !shared.includes(service)) return;
      if (!table.has(name)) table.set(name, await reachable(name, service));
    },
    withdraw(name) {
      gateways.withdraw(name);
      table.remove(name);
    },
    move: (name) => void addresses.set(name, takeAddress()),
    close() {
      gateways.close();
      for (const link of links) link.close();
    },
  };
}

function instancesOf<Service extends string>(service: Service, count: number) {
  return Array.from({ length: count }, (_, index) =>
    index === 0 ? service : (`${service}-${index + 1}` as const),
  );
}

/** All of 127.0.0.0/8 is this machine: every replica has an address of its own, and one port. */
function createLoopbackAddresses(): () => string {
  const net = randomInt(1, 255);
  let last = randomInt(0, 0x8000);
  return () => {
    last += 1;
    return `127.${net}.${last >> 8}.${last & 0xff}`;
  };
}

const hostOf = (service: RpcServiceName) => `${service}.tollgate.test`;

function nameOf(service: RpcServiceName, ports: Readonly<Record<RpcServiceName, number>>): string {
  return `dns:///${hostOf(service)}:${ports[service]}`;
}

/** What the names of the services lead to; processes read the file at each look-up. */
function createNameTable(path: string, shared: readonly RpcServiceName[]) {
  const found = new Map<InstanceName, string>();
  const write = () => {
    const lines = shared.map((service) => {
      const replicas = [...found].filter(([name]) => serviceOf(name) === service);
      return [hostOf(service), replicas.map(([, address]) => address)];
    });
    // Whoever reads meanwhile finds the old one, whole.
    writeFileSync(`${path}.next`, JSON.stringify(Object.fromEntries(lines)));
    renameSync(`${path}.next`, path);
  };
  write();
  return {
    path,
    has: (name: InstanceName) => found.has(name),
    set(name: InstanceName, address: string) {
      found.set(name, address);
      write();
    },
    remove(name: InstanceName) {
      if (found.delete(name)) write();
    },
  };
}

/** One gateway is spoken to as it is; several stand behind a balancer. */
async function placeGateways(names: readonly InstanceName[], firstPort: number) {
  const gateways = names.filter((name) => serviceOf(name) === 'gateway');
  const ports = new Map<InstanceName, number>();
  for (const name of gateways) {
    ports.set(name, name === 'gateway' ? firstPort : await findQuietPort());
  }
  const found = new Set<InstanceName>();
  const targets = () => [...found].map((name) => ports.get(name) ?? 0);
  const balancer = gateways.length > 1 ? await startTcpBalancer(targets) : undefined;
  return {
    baseUrl: `http://127.0.0.1:${balancer?.port ?? firstPort}`,
    urls: [...ports.values()].map((port) => `http://127.0.0.1:${port}`),
    environmentOf(name: InstanceName): Record<string, string> {
      const port = ports.get(name);
      return port === undefined ? {} : { TOLLGATE_HTTP_PORT: String(port) };
    },
    announce: (name: InstanceName) => void found.add(name),
    withdraw: (name: InstanceName) => void found.delete(name),
    close: () => balancer?.close(),
  };
}

function preloads(table: string | undefined, offsetMs: number | undefined) {
  const environment: Record<string, string> = {};
  const programs: string[] = [];
  if (table !== undefined) {
    programs.push(NAME_TABLE);
    environment.TEST_NAME_TABLE = table;
  }
  if (offsetMs !== undefined) {
    programs.push(CLOCK_OFFSET);
    environment.TEST_CLOCK_OFFSET_MS = String(offsetMs);
  }
  if (programs.length === 0) return {};
  return { ...environment, NODE_OPTIONS: programs.map((each) => `--require=${each}`).join(' ') };
}
