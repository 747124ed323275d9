export * from './create-logger';
export * from './metrics';
export * from './trace-context';
export * from './tracing';
