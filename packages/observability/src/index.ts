export * from './create-logger';
export * from './metrics';
export * from './tracing';
