import type { Logger } from '@tollgate/core';

/** Compares the currency that this gateway is configured for with billing's, each time it is told. */
export function createCurrencyCheck(configured: string, logger: Logger) {
  let problem: string | undefined;
  return {
    /** `told` is billing's currency; it is empty where an older billing answers. */
    compare(told: string): void {
      const before = problem;
      problem =
        told === '' || told === configured
          ? undefined
          : `TOLLGATE_CURRENCY is ${configured}, and billing has all amounts in ${told}`;
      if (problem !== undefined && problem !== before) {
        logger.error({ configured, told }, `${problem}: set it to that`);
      }
    },
    get problem() {
      return problem;
    },
  };
}
