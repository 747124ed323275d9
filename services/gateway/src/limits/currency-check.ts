import type { Logger } from '@tollgate/core';

/** Compares the currency that this gateway is configured for with billing's, each time it is told. */
export function createCurrencyCheck(configured: string, logger: Logger) {
  let problem: string | undefined;
  return {
    /** Compares with billing's currency, which is empty where an older billing answers. */
    compare(ofBilling: string): void {
      const before = problem;
      problem =
        ofBilling === '' || ofBilling === configured
          ? undefined
          : `TOLLGATE_CURRENCY is ${configured}, and billing has all amounts in ${ofBilling}`;
      if (problem !== undefined && problem !== before) {
        logger.error({ configured, told: ofBilling }, `${problem}: set it to that`);
      }
    },
    get problem() {
      return problem;
    },
  };
}
