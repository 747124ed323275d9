export { silentLogger } from '@tollgate/core';
export * from './create-test-mongo';
export * from './describe-with-engine';
export { ENGINES, type EngineName } from './engine-catalogue';
export { createFakeClock, type FakeClock, settlePromises } from './fake-clock';
export * from './provide-engine';
export * from './recording-logger';
export * from './temporary-directory';
export * from './wait-for';
