export { silentLogger } from '@tollgate/core';
export * from './fake-clock';
export * from './recording-logger';
export * from './temporary-directory';
export * from './wait-for';
