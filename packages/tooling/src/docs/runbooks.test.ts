import { readFromRoot } from '../repository';
import { listFiles, listProductSources } from '../tidy/tidy';

const sources = listProductSources();
const runbooks = listFiles().filter((path) => /^docs\/runbooks\/.*\.md$/.test(path));
/** A quotation of what a log says; the verb stands in the words before it. */
const QUOTED = /\b(?:logs?|says?|line) (?:of \w+ says )?"([^"]{12,})"/g;

test('each line of the log that a runbook quotes is written by the code, at info or said to be debug', () => {
  const code = sources.map(readFromRoot);
  const quoted = runbooks.flatMap((path) =>
    readFromRoot(path)
      .split('\n\n')
      .flatMap((part) =>
        [...part.replaceAll('\n', ' ').replaceAll(/ +/g, ' ').matchAll(QUOTED)].map(
          ([, line = '']) => ({ path, line, part }),
        ),
      ),
  );
  expect(quoted.length).toBeGreaterThan(8);
  const faults = quoted.flatMap(({ path, line, part }) => {
    const [whole = ''] = code.filter((text) => text.includes(line));
    if (whole === '') return [`${path}: nothing logs "${line}"`];
    const call = whole.slice(0, whole.indexOf(line)).split('logger').at(-1) ?? '';
    const isDebug = call.startsWith('.debug(');
    return isDebug && !part.includes('debug') ? [`${path}: "${line}" is of level debug`] : [];
  });
  expect(faults).toEqual([]);
});

test('the runbooks of events name every consumer group', () => {
  const groups = sources
    .filter((path) => /^services\/\w+\/src\/events\//.test(path))
    .flatMap((path) => [...readFromRoot(path).matchAll(/\bGROUP = '([^']+)'|_GROUP = '([^']+)'/g)])
    .map(([, one, other]) => one ?? other ?? '')
    .toSorted();
  const behind = readFromRoot('docs/runbooks/consumers-behind.md').matchAll(
    /^\| `([a-z-]+)` +\|/gm,
  );
  const dead = readFromRoot('docs/runbooks/dead-letters.md').matchAll(/^- \*\*([a-z-]+)\*\*:/gm);
  expect(groups).toContain('billing-keys');
  expect([...behind].map(([, group]) => group).toSorted()).toEqual(groups);
  expect([...dead].map(([, group]) => group).toSorted()).toEqual(groups);
});
