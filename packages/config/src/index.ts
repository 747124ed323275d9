export * from './builders';
export type { ConfigKey, ConfigKind, KeyOptions, ReadResult } from './config-key';
export {
  type InitialModel,
  type NamedSecret,
  RPC_PORTS,
  type RpcServiceName,
  shared,
} from './cross-service-keys';
export { type ConfigOf, type ConfigSchema, defineConfig } from './define-config';
export * from './describe-config';
export { type Environment, readEnvironment } from './environment';
export { ConfigError, type ConfigVerdict, checkConfig, parseConfig } from './parse-config';
export { describeUnknownName, findUnknownNames, type UnknownName } from './unknown-names';
