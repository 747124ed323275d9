// Loaded into a process of the product before anything else: its wall clock is wrong by
// TEST_CLOCK_OFFSET_MS. Time that is only measured (performance.now) stays right, as it does on a
// machine whose date is wrong.
'use strict';

const RealDate = Date;
const offsetMs = Number(process.env.TEST_CLOCK_OFFSET_MS ?? 0);
const now = () => RealDate.now() + offsetMs;

globalThis.Date = class WrongDate extends RealDate {
  constructor(...values) {
    super(...(values.length === 0 ? [now()] : values));
  }

  static now() {
    return now();
  }
};
// Libraries know a type by its name.
Object.defineProperty(globalThis.Date, 'name', { value: 'Date' });
