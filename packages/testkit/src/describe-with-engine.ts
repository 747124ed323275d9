import { ENGINES, type EngineName } from './engine-catalogue';
import { locateEngine, provideEngine } from './provide-engine';

/** The engine as tests see it. */
export interface EngineUnderTest {
  /** Its address; known once the tests run, not while they are registered. */
  url(): string;
}

/**
 * Registers tests that need a real engine. Where there is none, exactly one skipped test stands in
 * for them and names the reason, so that the run counts and shows what it left out.
 */
export function describeWithEngine(
  name: EngineName,
  title: string,
  body: (engine: EngineUnderTest) => void,
): void {
  const found = locateEngine(name);
  if (found.from === 'nowhere') {
    describe(title, () => {
      it.skip(`needs ${name}: ${found.reason}`, () => undefined);
    });
    return;
  }
  describe(`${title} (${name} from ${found.from})`, () => {
    let url: string | undefined;
    let stop: (() => Promise<void>) | undefined;
    beforeAll(async () => {
      const answer = await provideEngine(name);
      if (!answer.available) throw new Error(`${name} went away: ${answer.reason}`);
      url = answer.url;
      stop = answer.stop;
    }, ENGINES[name].startupTimeoutMs);
    afterAll(async () => {
      await stop?.();
    });
    body({
      url() {
        if (url === undefined) throw new Error(`${name} has no address before the tests run`);
        return url;
      },
    });
  });
}
