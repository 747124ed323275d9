export * from './create-logger';
export type { HistogramChild } from './histogram-children';
export * from './metrics';
export * from './tracing';
