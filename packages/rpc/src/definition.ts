import { type ServiceDefinition as LoadedDefinition, loadSync } from '@grpc/proto-loader';
import {
  type billingV1,
  CONTROL_PLANE,
  type identityV1,
  PROTO_LOADER_OPTIONS,
  type routingV1,
  type statsV1,
  type webhookV1,
} from '@tollgate/protos';
import { type CompletionDefinition, completionService } from './session/codec';

/** The part of a method that grpc-js needs; both code generators produce this shape. */
export interface MethodShape {
  readonly path: string;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
  readonly requestSerialize: (value: never) => Buffer;
  readonly requestDeserialize: (bytes: Buffer) => unknown;
  readonly responseSerialize: (value: never) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => unknown;
}

/** A service's methods by name, as proto-loader and ts-proto describe them. */
export type ServiceShape = object;

/** The methods that stream; everything else is unary. Checked against the definition at start. */
export type ServerStreamMethod = 'watchRevocations' | 'watchRouteTable';
export type DuplexMethod = 'session';

/** A definition's method names in camelCase, without its index signature. */
export type MethodName<Shape> = {
  [K in keyof Shape as string extends K ? never : Uncapitalize<K & string>]: K;
};

/** The message that a client sends for the method. */
export type RequestOf<Method> = Method extends { requestSerialize: (value: infer R) => Buffer }
  ? R
  : never;
/** The message that a client receives. */
export type ResponseOf<Method> = Method extends { responseDeserialize: (bytes: Buffer) => infer R }
  ? R
  : never;
/** The message that a handler receives. */
export type ReceivedRequestOf<Method> = Method extends {
  requestDeserialize: (bytes: Buffer) => infer R;
}
  ? R
  : never;
/** The message that a handler answers. */
export type SentResponseOf<Method> = Method extends {
  responseSerialize: (value: infer R) => Buffer;
}
  ? R
  : never;

interface ControlPlaneShapes {
  readonly billing: billingV1.BillingServiceDefinition;
  readonly identity: identityV1.IdentityServiceDefinition;
  readonly routing: routingV1.RoutingServiceDefinition;
  readonly stats: statsV1.StatsServiceDefinition;
  readonly webhook: webhookV1.WebhookServiceDefinition;
}

/** The services whose codecs come from proto-loader. */
export type ControlPlaneName = keyof ControlPlaneShapes;

const loaded = new Map<ControlPlaneName, LoadedDefinition>();

/** Reads the service's .proto once per process. Throws when the file or the service is missing. */
export function controlPlane<Name extends ControlPlaneName>(name: Name): ControlPlaneShapes[Name] {
  let definition = loaded.get(name);
  if (definition === undefined) {
    const { file, service } = CONTROL_PLANE[name];
    const entry = loadSync(file, {
      ...PROTO_LOADER_OPTIONS,
      includeDirs: [...PROTO_LOADER_OPTIONS.includeDirs],
    })[service];
    if (entry === undefined) throw new Error(`${file} does not declare ${service}`);
    definition = entry as LoadedDefinition;
    loaded.set(name, definition);
  }
  // The types are generated from the same file that is loaded here.
  return definition as unknown as ControlPlaneShapes[Name];
}

/** The hot service, with static codecs. */
export const completionDefinition: CompletionDefinition = completionService;

/** Methods of any definition, keyed by camelCase name, with the streaming table checked. */
export function methodsOf(shape: ServiceShape): ReadonlyMap<string, MethodShape> {
  const methods = new Map<string, MethodShape>();
  for (const [name, value] of Object.entries(shape)) {
    const method = value as MethodShape;
    methods.set(name.charAt(0).toLowerCase() + name.slice(1), method);
  }
  for (const [name, method] of methods) {
    const expected = streamKind(name);
    const actual = method.requestStream ? 'duplex' : method.responseStream ? 'server' : 'unary';
    if (expected !== actual) throw new Error(`${method.path} is ${actual}, typed as ${expected}`);
  }
  return methods;
}

const SERVER_STREAM: readonly string[] = [
  'watchRevocations',
  'watchRouteTable',
] satisfies readonly ServerStreamMethod[];
const DUPLEX: readonly string[] = ['session'] satisfies readonly DuplexMethod[];

function streamKind(name: string): 'unary' | 'server' | 'duplex' {
  if (SERVER_STREAM.includes(name)) return 'server';
  return DUPLEX.includes(name) ? 'duplex' : 'unary';
}
