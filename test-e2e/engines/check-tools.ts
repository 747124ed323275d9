import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser, WINDOWLESS } from '../support/console/browser';
import { isInstalled, runCommand } from '../support/run-command';
import {
  cached,
  findCached,
  installPackage,
  inTurn,
  packageObstacle,
  type Report,
  step,
} from './installation';

/** A program or its data that checks need; nothing that runs on. */
export interface CheckTool {
  /** Variable that tells tests its path. */
  readonly variable: string;
  /** Why it cannot be had here; undefined when it can. */
  obstacle(): string | undefined;
  /** Fetches it once per cache, and gives its path. */
  provide(report: Report): Promise<string>;
}

const BUILD_TIMEOUT_MS = 900_000;
const DOWNLOAD_TIMEOUT_MS = 180_000;
const KUBERNETES = 'v1.33.0';
const SCHEMAS_REQUIREMENT =
  'kubernetes-validate==1.37.0 --hash=sha256:85136d018a27b50ec7fc049d902bfa5193f5976807e6c0f408e3ab6fe078cad9';
const PYTHON_CLIENT = 'openapi-python-client==0.29.1';

/** What the checks of `deploy`, of the generated clients and of the console start, by name. */
export const CHECK_TOOLS: Readonly<Record<string, CheckTool>> = {
  helm: goProgram('TOLLGATE_TEST_HELM', 'helm', 'helm.sh/helm/v3/cmd/helm@v3.22.0'),
  kubeconform: goProgram(
    'TOLLGATE_TEST_KUBECONFORM',
    'kubeconform',
    'github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0',
  ),
  'kubernetes-schemas': {
    variable: 'TOLLGATE_TEST_KUBERNETES_SCHEMAS',
    obstacle: () => (isInstalled('python3') ? undefined : 'python3 is not installed'),
    provide: (report) => entry(`kubernetes-schemas-${KUBERNETES}`, report, fetchSchemas),
  },
  'openapi-python-client': {
    variable: 'TOLLGATE_TEST_OPENAPI_PYTHON_CLIENT',
    obstacle: () => (isInstalled('python3') ? undefined : 'python3 is not installed'),
    provide: (report) => entry(PYTHON_CLIENT.replace('==', '-'), report, fetchPythonClient),
  },
  promtool: {
    variable: 'TOLLGATE_TEST_PROMTOOL',
    obstacle: () =>
      isInstalled('apt-get') && isInstalled('dpkg') ? undefined : 'this is no Debian',
    provide: async (report) => join(await entry('promtool', report, fetchPromtool), 'promtool'),
  },
  chromium: {
    variable: 'TOLLGATE_TEST_CHROMIUM',
    obstacle: () => (findBrowser() === undefined ? packageObstacle() : undefined),
    async provide(report) {
      if (!existsSync(WINDOWLESS.path) && packageObstacle() === undefined) {
        await step(report, 'chromium installed', () => installPackage(WINDOWLESS.package));
      }
      return findBrowser() ?? WINDOWLESS.path;
    },
  },
};

/** A program that Go builds from a version; Go checks its sources by its database of checksums. */
function goProgram(variable: string, name: string, source: string): CheckTool {
  const version = source.split('@')[1] ?? '';
  return {
    variable,
    obstacle: () => (isInstalled('go') ? undefined : 'go is not installed'),
    async provide(report) {
      const directory = await entry(`${name}-${version}`, report, async (path) => {
        await runCommand('go', ['install', source], {
          timeoutMs: BUILD_TIMEOUT_MS,
          env: { GOBIN: path },
        });
      });
      return join(directory, name);
    },
  };
}

async function entry(
  name: string,
  report: Report,
  fill: (directory: string) => Promise<void>,
): Promise<string> {
  return findCached(name) ?? step(report, `${name} fetched`, () => cached(name, fill));
}

/** The schemas of one version, each for itself: they name the others by paths of a web server. */
async function fetchSchemas(directory: string): Promise<void> {
  const temporary = await mkdtemp(join(tmpdir(), 'tollgate-schemas-'));
  try {
    const requirements = join(temporary, 'requirements.txt');
    await writeFile(requirements, `${SCHEMAS_REQUIREMENT}\n`);
    const args = [
      'install',
      '--require-hashes',
      '--no-deps',
      '--no-compile',
      '--target',
      temporary,
    ];
    await runCommand('python3', ['-m', 'pip', ...args, '-r', requirements], {
      timeoutMs: DOWNLOAD_TIMEOUT_MS,
    });
    const folder = `kubernetes_validate/kubernetes-json-schema/${KUBERNETES}-local-strict`;
    for (const name of await readdir(join(temporary, folder))) {
      const text = await readFile(join(temporary, folder, name), 'utf8');
      const local = text
        .replaceAll('"/api/_definitions.json', '"_definitions.json')
        .replace(/,\s*"\$id": "[^"]*"/, '');
      await writeFile(join(directory, name), local);
    }
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** The generator with all that it and its clients import, for PYTHONPATH. */
async function fetchPythonClient(directory: string): Promise<void> {
  const args = ['install', '--no-compile', '--target', directory, PYTHON_CLIENT];
  await runCommand('python3', ['-m', 'pip', ...args], { timeoutMs: DOWNLOAD_TIMEOUT_MS });
}

/** The program alone: the package would install a server that starts by itself. */
async function fetchPromtool(directory: string): Promise<void> {
  const unpacked = join(directory, 'package');
  await mkdir(unpacked);
  const script = [
    `cd ${unpacked}`,
    '{ apt-get download prometheus || { apt-get update && apt-get download prometheus; }; }',
    'dpkg -x prometheus_*.deb .',
    `mv usr/bin/promtool ${directory}/promtool`,
  ].join(' && ');
  await inTurn(() => runCommand('sh', ['-c', script], { timeoutMs: DOWNLOAD_TIMEOUT_MS }));
  await rm(unpacked, { recursive: true, force: true });
}
