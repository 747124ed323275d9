export * from './builders';
export {
  allowedHosts,
  namedSecrets,
  RPC_PORTS,
  type RpcServiceName,
  shared,
} from './cross-service-settings';
export { type ConfigOf, type ConfigSchema, defineConfig } from './define-config';
export * from './describe-config';
export { type Environment, readEnvironment } from './environment';
export { ConfigError, type ConfigVerdict, checkConfig, parseConfig } from './parse-config';
export type { ConfigKind, GivenValue, ReadResult, Setting, SettingOptions } from './setting';
export { describeUnknownName, findUnknownNames, type UnknownName } from './unknown-names';
