import { readEnvironment } from '@tollgate/config';
import { checkContainerRuntime } from './container-runtime';
import { ENGINES, type EngineName } from './engine-catalogue';
import { startContainer } from './start-container';

/** An engine for a test, or why there is none. */
export type EngineAnswer =
  | {
      readonly available: true;
      readonly source: 'environment' | 'container';
      readonly url: string;
      /** Ends what was started for this answer; engines of the environment stay. */
      stop(): Promise<void>;
    }
  | { readonly available: false; readonly reason: string };

/** Where an engine would come from; known without waiting. */
export type EngineWhereabouts =
  | { readonly from: 'environment'; readonly url: string }
  | { readonly from: 'container' }
  | { readonly from: 'nowhere'; readonly reason: string };

/** Looks for an engine in the environment, then for a container engine that could start one. */
export function locateEngine(name: EngineName): EngineWhereabouts {
  const environment = readEnvironment();
  const { variable } = ENGINES[name];
  const url = environment[variable];
  if (url !== undefined && url !== '') return { from: 'environment', url };
  const containers = checkContainerRuntime();
  if (containers.answers) return { from: 'container' };
  // The step that provisions engines leaves the reason when it could not.
  const told = environment[`${variable}_UNAVAILABLE`];
  const why = told === undefined || told === '' ? `${variable} is not set` : told;
  return { from: 'nowhere', reason: `${why}, and ${containers.reason}` };
}

/** Gives an engine that takes commands, started if need be. Stop it when done. */
export async function provideEngine(name: EngineName): Promise<EngineAnswer> {
  const found = locateEngine(name);
  if (found.from === 'nowhere') return { available: false, reason: found.reason };
  if (found.from === 'environment') {
    return { available: true, source: 'environment', url: found.url, stop: async () => undefined };
  }
  const { url, stop } = await startContainer(name);
  return { available: true, source: 'container', url, stop };
}
