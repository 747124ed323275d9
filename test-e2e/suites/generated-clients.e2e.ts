import { type OpenedAccount, openAccount } from '../support/accounts';
import { makeDirectory } from '../support/temporary-directory';
import { type RunningTollgate, startTollgate } from '../topologies/start-tollgate';
import {
  type ClientReading,
  runPythonClient,
  runTypescriptClient,
} from './generated-clients/generated-clients';

jest.setTimeout(300_000);

const PYTHON_PACKAGES = process.env.TOLLGATE_TEST_OPENAPI_PYTHON_CLIENT;

let tollgate: RunningTollgate;
let account: OpenedAccount;
let document: string;

beforeAll(async () => {
  tollgate = await startTollgate();
  account = await openAccount(tollgate.api, { credit: '1.00' });
  document = (await tollgate.api.request('GET', '/v1/openapi.json')).text;
});

afterAll(async () => {
  expect(await tollgate?.stop()).toBe(0);
});

function inDirectory<Result>(work: (folder: string) => Result): Result {
  const folder = makeDirectory();
  try {
    return work(folder.path);
  } finally {
    folder.remove();
  }
}

function expectReading(reading: ClientReading): void {
  expect(reading).toMatchObject({ name: 'generated', code: 'NOT_FOUND' });
  expect(reading.content).not.toBe('');
  expect(reading.request_id).toMatch(/^req_/);
  expect(Number(reading.charge)).toBeGreaterThan(0);
}

test('a generated TypeScript client makes a key, completes and reads the receipt, fully typed', () => {
  const { accessToken: token } = account.owner;
  inDirectory((folder) => {
    const target = { baseUrl: tollgate.baseUrl, token };
    expectReading(runTypescriptClient(folder, document, target));
  });
});

// `.ci/run` brings the generator; without it the test is counted as skipped.
(PYTHON_PACKAGES === undefined ? test.skip : test)('so does a generated Python client', () => {
  const { accessToken: token } = account.owner;
  inDirectory((folder) => {
    const target = { baseUrl: tollgate.baseUrl, token };
    expectReading(runPythonClient(folder, document, target, PYTHON_PACKAGES ?? ''));
  });
});
