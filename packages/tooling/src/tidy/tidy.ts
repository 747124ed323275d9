import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, readFromRoot } from '../repository';
import { checkComments, checkMarkdown, checkName, checkSource, type Violation } from './rules';

/** Counts of a run, so that an empty run cannot pass for a clean one. */
export interface TidyReport {
  readonly sourceFiles: number;
  readonly markdownFiles: number;
  readonly violations: readonly Violation[];
}

/** Every file that git tracks or would track, relative to the repository's root. */
export function listFiles(): readonly string[] {
  const output = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return output.split('\n').filter((file) => file !== '' && existsSync(join(ROOT, file)));
}

/** The product's own code: neither tests, nor what is for them or made, nor tools. */
export function listProductSources(): readonly string[] {
  return listFiles()
    .filter((file) => /^(packages|services)\/[^/]+\/src\/.*\.ts$/.test(file))
    .filter((file) => !/^packages\/(tooling|money-model|testkit)\//.test(file))
    .filter((file) => !/\.test\.ts$|contract\.ts$|\/testing\/|\/gen\//.test(file));
}

/** Checks the whole tree. */
export function tidy(): TidyReport {
  const files = listFiles();
  const sources = files.filter((file) => /\.tsx?$/.test(file));
  const pages = files.filter((file) => file.endsWith('.md') && !file.startsWith('docs/reference/'));
  const commented = files.filter((file) => /\.(ya?ml|tpl)$/.test(file) && !/-lock\./.test(file));
  const exists = (path: string) => existsSync(join(ROOT, path));
  return {
    sourceFiles: sources.length,
    markdownFiles: pages.length,
    violations: [
      ...files.flatMap(checkName),
      ...sources.flatMap((file) => checkSource(file, readFromRoot(file))),
      ...pages.flatMap((file) => checkMarkdown(file, readFromRoot(file), exists)),
      ...commented.flatMap((file) => checkComments(file, readFromRoot(file), exists)),
    ],
  };
}

/** `file:line rule: detail`, as editors understand it. */
export function formatViolation(violation: Violation): string {
  const { file, line, rule, detail } = violation;
  return `${file}:${line} ${rule}: ${detail}`;
}
