import { readEnvironment } from '@tollgate/config';
import type { EngineName } from '@tollgate/core';

/** Where an engine runs, or why there is none. */
export type EngineWhereabouts = { readonly url: string } | { readonly reason: string };

/** Looks for an engine in `TOLLGATE_TEST_<ENGINE>`; whoever could not start one leaves the reason. */
export function locateEngine(name: EngineName): EngineWhereabouts {
  const environment = readEnvironment();
  const variable = `TOLLGATE_TEST_${name.toUpperCase()}`;
  const url = environment[variable] ?? '';
  if (url !== '') return { url };
  const told = environment[`${variable}_UNAVAILABLE`] ?? '';
  return { reason: told === '' ? `${variable} is not set` : told };
}

/**
 * Registers tests that need a real engine and get its address. Where there is none, exactly one
 * skipped test stands in for them and names the reason, so that the run counts and shows what it
 * left out.
 */
export function describeWithEngine(
  name: EngineName,
  title: string,
  body: (url: string) => void,
): void {
  const found = locateEngine(name);
  if ('url' in found) {
    describe(`${title} (${name})`, () => body(found.url));
    return;
  }
  describe(title, () => {
    it.skip(`needs ${name}: ${found.reason}`, () => undefined);
  });
}
