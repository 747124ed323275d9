/** Registers the tests, or one skipped test that says why they cannot run here. */
export function describeUnless(
  obstacle: string | undefined,
  title: string,
  body: () => void,
): void {
  describe(title, () => {
    if (obstacle === undefined) body();
    else it.skip(`not here: ${obstacle}`, () => undefined);
  });
}
