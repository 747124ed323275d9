import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../repository';

/** The findings of dependency-cruiser. */
export interface CruiseReport {
  readonly modules: number;
  readonly dependencies: number;
  readonly violations: readonly {
    readonly rule: string;
    readonly from: string;
    readonly to: string;
  }[];
}

interface CruiseJson {
  readonly modules: readonly { readonly dependencies: readonly unknown[] }[];
  readonly summary: {
    readonly violations: readonly {
      readonly rule: { readonly name: string };
      readonly from: string;
      readonly to: string;
    }[];
  };
}

const FOLDERS = ['protos', 'packages', 'services', 'test-e2e'];

/** Runs the repository's rules over the tree at `root`; throws when the tool itself fails. */
export function cruise(root: string): CruiseReport {
  const tool = join(__dirname, '../../node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const config = join(ROOT, '.dependency-cruiser.cjs');
  const run = spawnSync(
    process.execPath,
    [tool, '--config', config, '--output-type', 'json', ...FOLDERS],
    { cwd: root, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 },
  );
  if (run.stdout === '') throw new Error(`dependency-cruiser failed: ${run.stderr}`);
  const report = JSON.parse(run.stdout) as CruiseJson;
  return {
    modules: report.modules.length,
    dependencies: report.modules.reduce((sum, module) => sum + module.dependencies.length, 0),
    violations: report.summary.violations.map(({ rule, from, to }) => ({
      rule: rule.name,
      from,
      to,
    })),
  };
}
