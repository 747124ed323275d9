import type { Page } from 'playwright-core';
import { openAccount } from '../../support/accounts';
import { eventually } from '../../support/eventually';
import { directive, simulatorUrl } from '../../support/vendors/simulator';
import type { RunningTollgate } from '../../topologies/start-tollgate';

/** What no address leads to, and what only somebody who looks can judge. */
export interface ConsoleState {
  /** Of its picture. */
  readonly name: string;
  /** Opened first. */
  readonly path: string;
  reach(page: Page, tollgate: RunningTollgate): Promise<void>;
}

const press = (page: Page, name: string) => page.getByRole('button', { name }).first().click();

export const CONSOLE_STATES: readonly ConsoleState[] = [
  {
    name: 'loading',
    path: '/keys',
    async reach(page) {
      await page.route('**/v1/requests?*', () => undefined);
      await page.goto(page.url().replace('/keys', '/requests'));
      await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor();
      await page.locator('[role="status"][aria-busy="true"]').first().waitFor();
    },
  },
  {
    name: 'error',
    path: '/keys',
    async reach(page) {
      await answerWith(
        page,
        500,
        'INTERNAL_ERROR',
        'The service failed. Please tell your operator.',
      );
    },
  },
  {
    name: 'error-that-passes',
    path: '/keys',
    async reach(page) {
      await answerWith(page, 503, 'SERVICE_UNAVAILABLE', 'Try again in a moment.');
    },
  },
  {
    name: 'away',
    path: '/keys?open=-new',
    async reach(page) {
      const drawer = page.getByRole('dialog');
      await drawer.getByLabel('Name').fill('half written');
      await page.context().setOffline(true);
      await drawer.getByRole('button', { name: 'Create key' }).click();
      await page.getByText('nothing you wrote is lost').waitFor();
    },
  },
  {
    name: 'wrong-field',
    path: '/keys?open=-new',
    async reach(page) {
      await page.getByText('More settings').click();
      await page.getByLabel('Budget', { exact: true }).fill('a lot');
      await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
      await page.getByText('Give it a name').waitFor();
    },
  },
  {
    name: 'secret-once',
    path: '/keys?open=-new',
    async reach(page) {
      const drawer = page.getByRole('dialog');
      await drawer.getByLabel('Name').fill('Shop assistant');
      await drawer.getByRole('button', { name: 'Create key' }).click();
      await drawer.getByText('Copy the API key now').waitFor();
    },
  },
  {
    name: 'danger-revoke',
    path: '/keys?open={key}',
    async reach(page) {
      await press(page, 'Revoke');
      await page.getByRole('dialog', { name: /^Revoke / }).waitFor();
    },
  },
  {
    name: 'danger-erase',
    path: '/operator/accounts?open={account}',
    async reach(page) {
      await press(page, 'Erase account');
      await page.getByRole('dialog', { name: /^Erase / }).waitFor();
    },
  },
  {
    name: 'danger-suspend',
    path: '/operator/accounts?open={account}',
    async reach(page) {
      await press(page, 'Suspend');
      await page.getByRole('dialog', { name: /^Suspend / }).waitFor();
    },
  },
  {
    name: 'grant-credit',
    path: '/operator/accounts?open={account}',
    async reach(page) {
      await press(page, 'Grant credit');
      await page.getByRole('dialog', { name: /^Grant credit/ }).waitFor();
    },
  },
  {
    name: 'codes-told-before',
    path: '/operator/codes?open=-new',
    async reach(page) {
      const json = { data: { id: 'cbt_01J00000000000000000000000', codes: [{}] } };
      await page.route('**/v1/admin/codes', (route) =>
        route.request().method() === 'POST'
          ? route.fulfill({ status: 201, json })
          : route.continue(),
      );
      await page.getByLabel('Amount').fill('5.00');
      await page.getByRole('dialog').getByRole('button', { name: 'Create codes' }).click();
      await page.getByText('cannot be shown any more').waitFor();
    },
  },
  {
    name: 'playground-answered',
    path: '/playground',
    async reach(page) {
      await page.getByLabel('Prompt').fill('Say something about bridges');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('link', { name: 'Its story' }).waitFor();
      await page.getByRole('button', { name: 'Explain the route' }).click();
      await page.getByLabel('Candidates').waitFor();
    },
  },
  {
    name: 'more',
    path: '/operator/alerts',
    async reach(page) {
      // There is none on a desk.
      const more = page.getByRole('button', { name: 'More' });
      if (await more.isVisible()) await more.click();
    },
  },
  { name: 'request-failed', path: '/operator/requests?open={failed}', reach: settled },
  { name: 'request-fell-back', path: '/operator/requests?open={fellBack}', reach: settled },
  { name: 'request-refused', path: '/operator/requests?open={refused}', reach: settled },
];

async function settled(page: Page): Promise<void> {
  await page.getByText('What happened').waitFor();
}

async function answerWith(page: Page, status: number, code: string, message: string) {
  const json = { error: { code, message } };
  const headers = { 'x-request-id': 'req_01M82MTNYZT3NPFEWH6ZTV90H6' };
  await page.route('**/v1/webhooks?*', (route) => route.fulfill({ status, json, headers }));
  await page.goto(page.url().replace('/keys', '/webhooks'));
  await page.getByRole('alert').first().waitFor({ timeout: 60_000 });
}

const LONG_MODEL = 'a-model-of-some-vendor-with-a-very-long-name-of-its-own-2026-11';

/** Names as long as people give them, each in a request that its lists show. */
export async function nameAtLength({ api }: RunningTollgate): Promise<void> {
  const sizes = { context_length: 200_000, max_completion_tokens: 16_384 };
  // So cheap that an exact amount would be the widest of its column.
  const pricing = { prompt: '0.000015', completion: '0.00006' };
  await api.post('/v1/admin/models', { name: LONG_MODEL, ...sizes, pricing });
  await api.post('/v1/admin/channels', {
    name: 'A vendor by way of its western European region (only as a fallback)',
    type: 'simulator',
    base_url: `${await simulatorUrl(api)}/v1`,
    models: [{ name: LONG_MODEL }],
  });
  const { id } = await openAccount(api, { credit: '8999999.93' });
  const name = 'Bridge Insurance Company of the Northern and Western Provinces & Co.';
  await api.request('PATCH', `/v1/admin/accounts/${id}`, { body: { name } });
  const { key } = await api.post('/v1/keys', {
    name: 'Search re-ranker of the storefront (staging, do not delete before spring)',
    max_budget: '250.00',
  });
  const ask = (model: string, settings: Readonly<Record<string, unknown>>) => {
    const content = directive(settings, 'What is a bridge?');
    const body = { model, messages: [{ role: 'user', content }] };
    const headers = { authorization: `Bearer ${String(key)}` };
    return api.request('POST', '/v1/chat/completions', { body, headers });
  };
  await ask(LONG_MODEL, {});
  await ask(LONG_MODEL, { fail: 'status:500' });
  await ask(`no-${LONG_MODEL}`, {});
}

/** Requests that did not go well, by what their pictures call them. */
export async function failSome({ api }: RunningTollgate) {
  const base_url = `${await simulatorUrl(api)}/v1`;
  const models = [{ name: 'sim-large' }];
  await api.post('/v1/admin/channels', {
    name: 'Vendor east',
    type: 'simulator',
    base_url,
    models,
  });
  const ask = async (settings: Readonly<Record<string, unknown>>, tag: string) => {
    const content = directive({ ...settings, tag }, 'What is a bridge?');
    const body = { model: 'sim-large', messages: [{ role: 'user', content }] };
    const { headers } = await api.request('POST', '/v1/chat/completions', { body });
    const id = headers.get('x-request-id') ?? '';
    await eventually(
      () => api.request('GET', `/v1/admin/requests/${id}`),
      ({ status }) => status === 200,
    );
    return id;
  };
  return {
    fellBack: await ask({ fail: 'status:500', fail_first: 1 }, 'fell-back'),
    failed: await ask({ fail: 'status:500' }, 'failed'),
  };
}
