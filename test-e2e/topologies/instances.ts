/** Every service that runs as a process of its own, in the order they start. */
export const SERVICES = [
  'simulator',
  'billing',
  'routing',
  'identity',
  'completion',
  'stats',
  'webhook',
  'gateway',
] as const;
export type ServiceName = (typeof SERVICES)[number];

/** The services that others call by gRPC. */
export const RPC_SERVICES = [
  'completion',
  'identity',
  'routing',
  'billing',
  'webhook',
  'stats',
] as const;
export type RpcServiceName = (typeof RPC_SERVICES)[number];

/** A service's first process bears its name, each further one a number as well. */
export type InstanceName = ServiceName | `${ServiceName}-${number}`;
export type ProcessName = InstanceName | 'store';

/** How many processes of a service there are; one when absent. */
export type Replicas = Readonly<Partial<Record<RpcServiceName | 'gateway', number>>>;

/** The shape that operators run: each service survives the loss of any one of its processes. */
export const REPLICATED: Replicas = {
  gateway: 2,
  completion: 2,
  billing: 3,
  identity: 2,
  routing: 2,
  webhook: 2,
  stats: 2,
};

export function isRpcService(name: ServiceName): name is RpcServiceName {
  return RPC_SERVICES.some((service) => service === name);
}

/** The service that a process belongs to. */
export function serviceOf(name: string): ServiceName {
  const found = SERVICES.find((service) => name === service || name.startsWith(`${service}-`));
  if (found === undefined) throw new Error(`${name} is no service`);
  return found;
}
