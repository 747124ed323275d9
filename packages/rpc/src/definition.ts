import {
  type billingV1,
  CONTROL_PLANE,
  CONTROL_PLANE_JSON,
  CONVERSION,
  type identityV1,
  type routingV1,
  type statsV1,
  type webhookV1,
} from '@tollgate/protos';
import Long from 'long';
import { configure, type INamespace, Root, type Type, util } from 'protobufjs';

/** What grpc-js needs of a method: ts-proto generates it, and `definitionOf` makes it at run time. */
export interface MethodShape {
  readonly path: string;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
  readonly requestSerialize: (value: never) => Buffer;
  readonly requestDeserialize: (bytes: Buffer) => unknown;
  readonly responseSerialize: (value: never) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => unknown;
}

/** A service's methods by name, as the contracts and ts-proto describe them. */
export type ServiceShape = object;

/**
 * The methods that stream; everything else is unary. They are listed for the types alone: those that
 * are generated do not say it. What a loaded definition says is compared at start.
 */
const SERVER_STREAM = ['watchRevocations', 'watchRouteTable'] as const;
const DUPLEX = ['session'] as const;
export type ServerStreamMethod = (typeof SERVER_STREAM)[number];
export type DuplexMethod = (typeof DUPLEX)[number];

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
/** The message that a handler returns. */
export type SentResponseOf<Method> = Method extends {
  responseSerialize: (value: infer R) => Buffer;
}
  ? Sent<R>
  : never;

/** A message that is only written: its lists may be readonly, what it may lack may be undefined. */
export type Sent<Message> = Message extends readonly (infer Item)[]
  ? readonly Sent<Item>[]
  : Message extends object
    ? { readonly [Name in keyof Message]: Sent<Message[Name]> | UndefinedIfOptional<Message, Name> }
    : Message;

/** What is filled in member by member from a message: one that the message lacks stays out. */
export type Mutable<Item> = { -readonly [Name in keyof Item]: Item[Name] };

type UndefinedIfOptional<Message, Name extends keyof Message> =
  Partial<Pick<Message, Name>> extends Pick<Message, Name> ? undefined : never;

interface DefinedShapes {
  readonly billing: billingV1.BillingServiceDefinition;
  readonly identity: identityV1.IdentityServiceDefinition;
  readonly routing: routingV1.RoutingServiceDefinition;
  readonly stats: statsV1.StatsServiceDefinition;
  readonly webhook: webhookV1.WebhookServiceDefinition;
}

/** The services whose codecs are made at run time: all but completion (`session/codec.ts`). */
export type DefinedService = keyof DefinedShapes;

// 64-bit integers are decimal text for us; without this they would pass through doubles.
util.Long = Long;
configure();

let declared: Root | undefined;
const definitions = new Map<DefinedService, Readonly<Record<string, MethodShape>>>();

/** The service's methods by name; a codec is compiled when a message first uses it. */
export function definitionOf<Name extends DefinedService>(name: Name): DefinedShapes[Name] {
  const definition = definitions.get(name) ?? defineService(name);
  definitions.set(name, definition);
  // The types are generated from the same files that the JSON is.
  return definition as unknown as DefinedShapes[Name];
}

function defineService(name: DefinedService): Readonly<Record<string, MethodShape>> {
  declared ??= Root.fromJSON(JSON.parse(CONTROL_PLANE_JSON) as INamespace);
  const methods: Record<string, MethodShape> = {};
  for (const method of declared.lookupService(CONTROL_PLANE[name]).methodsArray) {
    method.resolve();
    const { resolvedRequestType: request, resolvedResponseType: response } = method;
    if (!request || !response) throw new Error(`${name}: ${method.name} has no messages`);
    methods[method.name] = {
      path: `/${CONTROL_PLANE[name]}/${method.name}`,
      requestStream: method.requestStream === true,
      responseStream: method.responseStream === true,
      requestSerialize: serializerOf(request),
      requestDeserialize: deserializerOf(request),
      responseSerialize: serializerOf(response),
      responseDeserialize: deserializerOf(response),
    };
  }
  return methods;
}

function serializerOf(type: Type): (message: object) => Buffer {
  return (message) => type.encode(type.fromObject(message)).finish() as Buffer;
}

function deserializerOf(type: Type): (bytes: Buffer) => object {
  return (bytes) => type.toObject(type.decode(bytes), CONVERSION);
}

/**
 * Methods of any definition, keyed by camelCase name, with the streaming table checked. ts-proto names
 * them so, the control plane as its proto does.
 */
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

function streamKind(name: string): 'unary' | 'server' | 'duplex' {
  const isOf = (names: readonly string[]) => names.includes(name);
  if (isOf(SERVER_STREAM)) return 'server';
  return isOf(DUPLEX) ? 'duplex' : 'unary';
}
