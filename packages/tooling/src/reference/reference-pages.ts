import { collectConfiguration } from './collect-configuration';
import { renderConfigurationPage } from './configuration-page';
import { renderEventsPage } from './events-page';
import { renderMetricsPage } from './metrics-page';

/** Where the pages are, relative to the repository's root. */
export const REFERENCE_FOLDER = 'docs/reference';

/** Every generated page by its file name. */
export function renderReferencePages(): ReadonlyMap<string, string> {
  return new Map([
    ['configuration.md', renderConfigurationPage(collectConfiguration())],
    ['events.md', renderEventsPage()],
    ['metrics.md', renderMetricsPage()],
  ]);
}

/** Names of pages that are not what the code says: other text, missing, or not ours at all. */
export function findStalePages(
  rendered: ReadonlyMap<string, string>,
  committed: ReadonlyMap<string, string>,
): readonly string[] {
  const names = new Set([...rendered.keys(), ...committed.keys()]);
  return [...names].filter((name) => rendered.get(name) !== committed.get(name)).sort();
}
