export * from './create-logger';
export * from './metrics';
export { redactText } from './redaction';
export * from './trace-context';
export * from './tracing';
