import type { Browser, Page } from 'playwright-core';
import { addMember, openAccount } from '../support/accounts';
import { launchBrowser } from '../support/console/browser';
import {
  type ConsoleTab,
  chooseIn,
  openOperatorTab,
  openTab,
  testInBrowser,
} from '../support/console/console-tab';
import { eventually } from '../support/eventually';
import { fetchDocumented } from '../support/openapi/documented-answers';
import { directive, simulatorUrl, untilRouted } from '../support/vendors/simulator';
import { type RunningTollgate, startTollgate } from '../topologies/start-tollgate';

jest.setTimeout(120_000);

let tollgate: RunningTollgate;
let browser: Browser | undefined;
let desk: Promise<ConsoleTab> | undefined;

beforeAll(async () => {
  tollgate = await startTollgate();
});

afterAll(async () => {
  await browser?.close();
  await tollgate?.stop();
});

/** Another tab of the operator, who signs in once. */
async function openDesk(path: string): Promise<ConsoleTab> {
  desk ??= (async () => {
    browser ??= await launchBrowser();
    return openOperatorTab(browser, tollgate);
  })();
  const tab = await (await desk).another();
  await tab.open(path);
  return tab;
}

/** Refuses what is asked by the method at the address, as a service that is away does. */
async function refuse(page: Page, method: string, address: RegExp): Promise<void> {
  const error = { code: 'SERVICE_UNAVAILABLE', message: 'The service is away.' };
  await page.route(address, (route) =>
    route.request().method() === method
      ? route.fulfill({ status: 503, json: { error } })
      : route.fallback(),
  );
}

testInBrowser('a price that is changed takes back no price that others changed since', async () => {
  const { page } = await openDesk('/operator/models');
  const name = 'prompt price of sim-large';
  const price = page.getByRole('button', { name: `Change the ${name}` });
  await price.waitFor();
  const body = { pricing: { completion: '8.00' } };
  await tollgate.api.request('PATCH', '/v1/admin/models/sim-large', { body });
  await price.click();
  await page.getByLabel(`New ${name}`).fill('0.77');
  await page.getByLabel(`New ${name}`).press('Enter');
  await price.getByText('$0.77').waitFor();
  expect(await tollgate.api.get('/v1/admin/models/sim-large')).toMatchObject({
    pricing: { prompt: '0.77', completion: '8.00' },
  });
  await page.close();
});

testInBrowser('who mends what is said of a model has set none of its prices', async () => {
  const models = [{ name: 'gpt-4o-mini', context_length: 128_000, max_completion_tokens: 16_000 }];
  await tollgate.api.post('/v1/admin/models/import', { models, dry_run: false });
  const { page } = await openDesk('/operator/models?open=gpt-4o-mini');
  const form = page.getByRole('dialog', { name: 'gpt-4o-mini' });
  await form.getByLabel('Description').fill('Small and quick.');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.waitFor({ state: 'hidden' });
  expect(await tollgate.api.get('/v1/admin/models/gpt-4o-mini')).toMatchObject({
    description: 'Small and quick.',
    price_source: 'list',
  });
  await page.close();
});

testInBrowser('an embedding model is added without a price that it does not have', async () => {
  const { page } = await openDesk('/operator/models?open=-new');
  const form = page.getByRole('dialog', { name: 'Add model' });
  await form.getByLabel('Name').fill('vectors');
  await form.getByLabel('Completion').waitFor();
  await chooseIn(page, 'Kind', 'Embedding');
  await form.getByLabel('Completion').waitFor({ state: 'detached' });
  await form.getByLabel('Prompt', { exact: true }).fill('0.02');
  await form.getByRole('button', { name: 'Add model' }).click();
  await page.getByRole('row').filter({ hasText: 'vectors' }).getByText('$0.02').first().waitFor();
  await page.close();
});

testInBrowser('a model that somebody called new is opened as any other', async () => {
  const pricing = { prompt: '0.10', completion: '0.20' };
  const bounds = { context_length: 8_000, max_completion_tokens: 1_000 };
  await tollgate.api.post('/v1/admin/models', { name: 'new', pricing, ...bounds });
  const { page } = await openDesk('/operator/models');
  await page.getByRole('link', { name: 'new', exact: true }).click();
  const drawer = page.getByRole('dialog', { name: 'new', exact: true });
  await drawer.getByRole('button', { name: 'Delete' }).waitFor();
  await page.close();
});

testInBrowser('what is refused stays written, beside what was done and by itself', async () => {
  const { id } = await openAccount(tollgate.api, { name: 'quay-works', plan: 'free' });
  const { page } = await openDesk(`/operator/accounts?open=${id}`);
  const drawer = page.getByRole('dialog', { name: 'quay-works' });
  await drawer.getByText('Change settings').click();
  const save = drawer.getByRole('button', { name: 'Save' });
  const isAway = drawer.getByRole('alert').getByText('The service is away.');
  await refuse(page, 'PATCH', /\/v1\/admin\/accounts\/[^/]+$/);
  await chooseIn(page, 'Plan', 'Smart');
  await drawer.getByLabel('Discount').fill('5');
  await save.click();
  await isAway.waitFor();
  await drawer.getByRole('definition').filter({ hasText: 'Smart' }).waitFor();
  expect(await drawer.getByLabel('Discount').inputValue()).toBe('5');
  expect(await drawer.getByText('Saved', { exact: true }).count()).toBe(0);
  await page.unrouteAll();
  await save.click();
  await drawer.getByText('Saved', { exact: true }).waitFor();
  expect(await tollgate.api.get(`/v1/admin/accounts/${id}`)).toMatchObject({
    plan: 'smart',
    overrides: { discount: '5.00' },
  });

  // The other way round: the plan is refused, and not asked for at the next press.
  await refuse(page, 'PUT', /\/plan$/);
  await chooseIn(page, 'Plan', 'Free');
  await save.click();
  await isAway.waitFor();
  await chooseIn(page, 'Plan', 'Smart');
  await drawer.getByLabel('Discount').fill('6');
  await save.click();
  await drawer.getByText('Saved', { exact: true }).waitFor();
  expect(await isAway.count()).toBe(0);
  await page.close();
});

testInBrowser('a credential that was saved stands in the form no longer', async () => {
  const { items } = (await tollgate.api.get('/v1/admin/channels')) as {
    readonly items: readonly { readonly id: string }[];
  };
  const { page } = await openDesk(`/operator/channels?open=${items[0]?.id}`);
  const drawer = page.getByRole('dialog');
  await drawer.getByText('Change settings').click();
  await drawer.getByLabel('Credential', { exact: true }).fill('of-the-vendor');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await drawer.getByText('Saved', { exact: true }).waitFor();
  expect(await drawer.getByLabel('Credential', { exact: true }).inputValue()).toBe('');
  await page.close();
});

testInBrowser('an API key that has ended is renamed', async () => {
  const { id } = await tollgate.api.post('/v1/keys', { name: 'of the fair' });
  const { page, open } = await openDesk('/settings');
  await page.route(`**/v1/keys/${String(id)}`, async (route) => {
    const response = await route.fetch();
    const { data } = (await response.json()) as { readonly data: object };
    const expires_at = '2026-01-31T12:00:00.000Z';
    await route.fulfill({ response, json: { data: Object.assign(data, { expires_at }) } });
  });
  await open(`/keys?open=${String(id)}`);
  const drawer = page.getByRole('dialog');
  await drawer.getByText('Change settings').click();
  await drawer.getByLabel('Name').fill('of the last fair');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await drawer.getByText('Saved', { exact: true }).waitFor();
  expect(await tollgate.api.get(`/v1/keys/${String(id)}`)).toMatchObject({
    name: 'of the last fair',
    expires_at: null,
  });
  await page.close();
});

testInBrowser(
  'a password whose change nothing answered is checked before it is tried',
  async () => {
    browser ??= await launchBrowser();
    const { owner } = await openAccount(tollgate.api);
    const { page, open, logIn, close } = await openTab(browser, tollgate);
    const press = async (verb: string) => {
      await page.getByRole('textbox', { name: 'New password' }).fill('a-password-of-mine');
      await page.getByRole('button', { name: verb }).click();
      await page.getByText(`Check whether it was done before you press ${verb} again.`).waitFor();
    };
    await page.route(/\/v1\/users\/(reset-)?password$/, (route) => route.abort());
    await page.getByText('Forgotten your password?').click();
    await page.getByLabel('Code').fill('of-the-operator');
    await press('Set password');
    await open('/settings');
    await logIn(owner.email, owner.password);
    await page.getByLabel('Current password').fill(owner.password);
    await press('Change password');
    await close();
  },
);

testInBrowser(
  'sessions elsewhere that could not be ended are told, and are ended then',
  async () => {
    browser ??= await launchBrowser();
    const { owner } = await openAccount(tollgate.api);
    const { page, open, logIn, close } = await openTab(browser, tollgate);
    await open('/settings');
    await logIn(owner.email, owner.password);
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await refuse(page, 'POST', /\/v1\/users\/logout$/);
    const question = page.getByRole('dialog', { name: 'Sign out everywhere' });
    await question.getByRole('button', { name: 'Sign out' }).click();
    await question.getByText('The service is away.').waitFor();
    await page.unrouteAll();
    await question.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    const me = () => owner.api.request('GET', '/v1/users/me');
    await eventually(me, ({ status }) => status === 401);
    await close();
  },
);

testInBrowser('an address opens a code and a user that its list does not show', async () => {
  const { id } = await tollgate.api.post('/v1/admin/codes', { amount: '1.00', note: 'of spring' });
  const listed = (await tollgate.api.get(`/v1/admin/codes?batch_id=${String(id)}`)) as {
    readonly items: readonly { readonly id: string }[];
  };
  await tollgate.api.post('/v1/admin/codes', { amount: '1.00', count: 60 });
  const { owner } = await openAccount(tollgate.api);
  const { page, open } = await openDesk(`/operator/codes?open=${listed.items[0]?.id}`);
  await page
    .getByRole('dialog', { name: /^Code …/ })
    .getByText('of spring', { exact: true })
    .waitFor();
  await open(`/operator/users?email=nobody&open=${owner.userId}`);
  const drawer = page.getByRole('dialog', { name: owner.email });
  await drawer.getByRole('button', { name: 'Disable' }).waitFor();
  await open('/operator/users?open=usr_of_nobody');
  await page.getByRole('dialog').getByText('There is nothing here').waitFor();
  await page.close();
});

testInBrowser(
  'a list that is narrowed to nothing says so, and one that is not is whole',
  async () => {
    const { page, open } = await openDesk('/operator/codes?batch=of-nobody');
    await page.getByText('No code fits. Take a filter away to see more.').waitFor();
    await page.getByRole('button', { name: 'Create codes' }).waitFor();
    await open('/billing?kind=made-up');
    await page.getByText('Requests that cost nothing have entries too').waitFor();
    await page.close();
  },
);

testInBrowser('who signs in at an address keeps its filters', async () => {
  browser ??= await launchBrowser();
  const desk = await openDesk('/operator/codes');
  await desk.page.getByLabel('Last four characters').fill('AB12');
  await desk.page.waitForURL(/AB12/);
  const { search } = new URL(desk.page.url());
  await desk.page.close();
  const { page, open, logIn, close } = await openTab(browser, tollgate);
  await open(`/operator/codes${search}`);
  await logIn(tollgate.operatorEmail, tollgate.operatorPassword);
  await page.getByRole('heading', { name: 'Codes', level: 1 }).waitFor();
  expect(await page.getByLabel('Last four characters').inputValue()).toBe('AB12');
  await close();
});

testInBrowser('two people whom a list does not have are found by their emails', async () => {
  const { owner: writer } = await openAccount(tollgate.api);
  const { owner: written } = await openAccount(tollgate.api);
  const { page, open } = await openDesk('/settings');
  await page.route(/\/v1\/admin\/users\?(?!.*email=)/, (route) =>
    route.fulfill({ json: { data: { items: [], next_cursor: null } } }),
  );
  const asked = page.waitForRequest((request) => {
    const { searchParams } = new URL(request.url());
    const ids = [searchParams.get('actor'), searchParams.get('resource_id')];
    return ids[0] === writer.userId && ids[1] === written.userId;
  });
  await open(`/operator/audit-log?actor=${writer.email}&resource=${written.email}`);
  await asked;
  await page.close();
});

testInBrowser(
  'an account that the first page does not have is named, and found to be chosen',
  async () => {
    const { id, owner } = await openAccount(tollgate.api, { name: 'beyond-the-first-page' });
    const { page, open } = await openDesk('/settings');
    await page.route(/\/v1\/admin\/accounts\?(?!.*name=)/, (route) =>
      route.fulfill({ json: { data: { items: [], next_cursor: null } } }),
    );
    await open(`/operator/users?account=${id}`);
    const row = page.getByRole('row').filter({ hasText: owner.email });
    await row.getByText('beyond-the-first-page', { exact: true }).waitFor();
    await page.getByText('Account: beyond-the-first-page').waitFor();
    await page.getByRole('button', { name: 'Remove the filter Account' }).click();
    for (const path of ['/operator/users', '/operator/requests', '/operator/audit-log']) {
      await open(path);
      await page.getByRole('combobox', { name: 'Account' }).fill('Beyond-the');
      await page.getByRole('option', { name: 'beyond-the-first-page' }).click();
      await page.waitForURL(new RegExp(`account=${id}`));
    }
    await open('/operator/users?open=-new');
    const field = page.getByRole('dialog').getByRole('combobox', { name: 'Account' });
    await field.fill('nobody-is-called-so');
    await page.getByRole('listbox').getByText('No name begins like this').waitFor();
    await field.fill('beyond');
    await page.getByRole('option', { name: 'beyond-the-first-page' }).click();
    expect(await field.inputValue()).toBe('beyond-the-first-page');
    await page.close();
  },
);

testInBrowser(
  'what a deleted channel served has its name, says that it was deleted, and leads to what it was',
  async () => {
    const { api } = tollgate;
    const pricing = { prompt: '0.10', completion: '0.20' };
    const sizes = { context_length: 8_000, max_completion_tokens: 1_000 };
    const base_url = `${await simulatorUrl(api)}/v1`;
    await api.post('/v1/admin/models', { name: 'passing-chat', pricing, ...sizes });
    const models = [{ name: 'passing-chat', upstream_name: 'sim-small' }];
    const body = { name: 'passing', type: 'simulator', base_url, models };
    const { id } = await api.post('/v1/admin/channels', body);
    await untilRouted(api, 'passing-chat');
    const asked = { model: 'passing-chat', messages: [{ role: 'user', content: 'Hello' }] };
    await api.request('POST', '/v1/chat/completions', { body: asked });
    await api.request('DELETE', `/v1/admin/channels/${String(id)}`);
    const { page } = await openDesk('/operator/requests?model=passing-chat');
    await page.getByText('Deleted: passing').click();
    await page.getByRole('link', { name: 'which was deleted' }).first().click();
    await page.getByText('Deleted channel “passing”').waitFor();
    await page.close();
  },
);

testInBrowser('a key that another revokes while it is open is shown no more', async () => {
  const { id } = await tollgate.api.post('/v1/keys', { name: 'of the leaver' });
  const { page } = await openDesk(`/keys?open=${String(id)}`);
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('button', { name: 'Revoke' }).waitFor();
  await tollgate.api.request('DELETE', `/v1/keys/${String(id)}`);
  await drawer.getByText('There is nothing here').waitFor();
  await page.close();
});

testInBrowser('an import that failed is checked again before it is applied again', async () => {
  const { page } = await openDesk('/operator/models');
  await page.route(/\/v1\/admin\/models\/import$/, (route) => {
    const error = { code: 'SERVICE_UNAVAILABLE', message: 'Check the list again.' };
    const { dry_run } = route.request().postDataJSON() as { readonly dry_run: boolean };
    return dry_run ? route.fallback() : route.fulfill({ status: 503, json: { error } });
  });
  await page.getByRole('button', { name: 'Import prices' }).click();
  const drawer = page.getByRole('dialog', { name: 'Import prices' });
  const columns = 'name,context_length,max_completion_tokens,prompt,completion';
  await drawer.getByLabel('Table').fill(`${columns}\nnever-made,8000,1000,0.50,1.50`);
  await drawer.getByRole('button', { name: 'Check' }).click();
  await drawer.getByRole('button', { name: 'Apply' }).click();
  await drawer.getByText('Check the list again.').waitFor();
  await drawer.getByRole('button', { name: 'Check' }).click();
  await drawer.getByRole('button', { name: 'Apply' }).waitFor();
  expect(await drawer.getByText('Check the list again.').count()).toBe(0);
  await page.close();
});

testInBrowser('what was well is not green while nothing answers', async () => {
  await tollgate.api.post('/v1/keys', { name: 'of the night' });
  const { page } = await openDesk('/keys');
  const well = page.locator('[data-tone="good"]');
  await well.first().waitFor();
  await page.context().setOffline(true);
  await page.getByText('nothing you wrote is lost').waitFor();
  await page.getByRole('cell', { name: 'Active' }).first().waitFor();
  expect(await well.count()).toBe(0);
  await page.context().setOffline(false);
  await well.first().waitFor();
  await page.close();
});

testInBrowser('a member is not told to redeem a code, which members may not', async () => {
  browser ??= await launchBrowser();
  const { owner } = await openAccount(tollgate.api);
  const member = await addMember(owner.api, 'member');
  const { page, logIn, close } = await openTab(browser, tollgate);
  await logIn(member.email, member.password);
  await page.getByText('Ask an owner or admin of your account for credit.').waitFor();
  expect(await page.getByText(/redeem a code/i).count()).toBe(0);
  await close();
});

testInBrowser('two API keys of one name are two rows of the usage', async () => {
  const ids: string[] = [];
  for (const content of ['Hello', 'Hello again']) {
    const { id, key } = await tollgate.api.post('/v1/keys', { name: 'twin' });
    ids.push(String(id));
    const body = { model: 'sim-small', messages: [{ role: 'user', content }] };
    const headers = { authorization: `Bearer ${String(key)}` };
    await tollgate.api.request('POST', '/v1/chat/completions', { body, headers });
  }
  await eventually(
    () => tollgate.api.get('/v1/stats?group_by=key'),
    (usage) => ids.every((id) => JSON.stringify(usage).includes(id)),
  );
  const { page } = await openDesk('/usage?by=key');
  const table = page.getByRole('region', { name: 'Usage by API key' });
  for (const id of ids) {
    const row = table.getByRole('link', { name: `twin (${id})` });
    expect(await row.getAttribute('href')).toContain(`key=${id}`);
  }
  await page.close();
});

testInBrowser(
  'requests of today stand beside what the account may, whatever its plan',
  async () => {
    browser ??= await launchBrowser();
    const { id, owner } = await openAccount(tollgate.api, { plan: 'free' });
    const body = { overrides: { limits: { requests_per_day: 12_345 } } };
    await tollgate.api.request('PATCH', `/v1/admin/accounts/${id}`, { body });
    const { page, logIn, close } = await openTab(browser, tollgate);
    await logIn(owner.email, owner.password);
    await page.getByText('of 12,345 a day').waitFor();
    await close();
  },
);

testInBrowser(
  'a request that runs says so in place of its story, which comes with its end',
  async () => {
    const { key } = await tollgate.api.post('/v1/keys', { name: 'of the long run' });
    const client = new AbortController();
    const answer = await fetchDocumented(`${tollgate.baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${String(key)}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'sim-small',
        stream: true,
        messages: [{ role: 'user', content: directive({ tokens: 4_000, token_interval_ms: 50 }) }],
      }),
      signal: client.signal,
    });
    const id = answer.headers.get('x-request-id');
    const { page } = await openDesk(`/operator/requests?open=${id}`);
    await page.getByText('This request has not ended: it runs since').waitFor();
    client.abort();
    await page.getByRole('dialog').getByText('What happened').waitFor();
    await page.close();
  },
);

testInBrowser('the list of a span begins where it did for as long as it is open', async () => {
  const { page, open } = await openDesk('/settings');
  await page.clock.install();
  const starts: (string | null)[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === '/v1/requests') starts.push(searchParams.get('start'));
  });
  await open('/requests?since=24h');
  for (const content of ['Hello', 'Hello again']) {
    const body = { model: 'sim-small', messages: [{ role: 'user', content }] };
    const { headers } = await tollgate.api.request('POST', '/v1/chat/completions', { body });
    const row = page.locator(`tr a[href*="${headers.get('x-request-id')}"]`);
    await eventually(
      async () => {
        await page.clock.fastForward('01:01');
        return row.count();
      },
      (count) => count === 1,
    );
  }
  expect(new Set(starts).size).toBe(1);
  await page.close();
});

testInBrowser('the playground awaits a charge of which the API says nothing at first', async () => {
  const { page } = await openDesk('/playground');
  const error = { code: 'NOT_FOUND', message: 'This resource does not exist.' };
  let asked = 0;
  await page.route(/\/v1\/requests\/req_/, (route) => {
    asked += 1;
    return asked <= 2 ? route.fulfill({ status: 404, json: { error } }) : route.fallback();
  });
  await page.getByLabel('Prompt').fill('[[simulate {"tokens": 3}]]');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText(/^\$\S+ in \d/).waitFor();
  expect(asked).toBeGreaterThan(2);
  await page.close();
});

testInBrowser('who leaves the playground stops its answer', async () => {
  const { page } = await openDesk('/playground');
  await page.getByLabel('Prompt').fill('[[simulate {"tokens": 4000, "token_interval_ms": 50}]]');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('This is a simulated answer').first().waitFor();
  const stopped = page.waitForEvent('requestfailed', (request) =>
    request.url().endsWith('/v1/chat/completions'),
  );
  await page.getByRole('link', { name: 'Usage', exact: true }).click();
  await stopped;
  await page.close();
});

testInBrowser(
  'the playground says again that it makes a key, once the last one has ended',
  async () => {
    const { page } = await openDesk('/playground');
    const notice = page.getByText('The first question makes an API key');
    const leaveAndComeBack = async () => {
      await page.getByRole('link', { name: 'Models', exact: true }).first().click();
      await page.getByRole('heading', { name: 'Models', level: 1 }).waitFor();
      await page.getByRole('link', { name: 'Playground' }).click();
      await page.getByLabel('Prompt').waitFor();
    };
    await page.getByLabel('Prompt').fill('[[simulate {"tokens": 3}]]');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('link', { name: 'Its story' }).waitFor();
    await leaveAndComeBack();
    expect(await notice.count()).toBe(0);
    await page.clock.setFixedTime(Date.now() + 2 * 3_600_000);
    await leaveAndComeBack();
    await notice.waitFor();
    await page.close();
  },
);

/** Reads the first file when it is told to, and the last one never. */
const READER = `
  const read = FileReader.prototype.readAsDataURL;
  FileReader.prototype.readAsDataURL = function (file) {
    if (file.name === 'broken.png') this.dispatchEvent(new Event('error'));
    else if (file.name !== 'large.png') read.call(this, file);
    else window.readLarge = () => new Promise((resolve) => {
      this.addEventListener('load', resolve);
      read.call(this, file);
    });
  };
`;

testInBrowser('of two pictures the one that was chosen last is sent', async () => {
  const { page, open } = await openDesk('/settings');
  await page.addInitScript(READER);
  await open('/playground');
  await page.getByText('Tools and an image').click();
  const choose = async (name: string, text: string) => {
    const file = { name, mimeType: 'image/png', buffer: Buffer.from(text) };
    await page.locator('input[type="file"]').setInputFiles(file);
  };
  const call = page.locator('pre', { hasText: 'chat/completions' });
  await choose('large.png', 'a large picture');
  await choose('small.png', 'a small picture');
  const small = Buffer.from('a small p').toString('base64');
  await call.filter({ hasText: small }).waitFor();
  await page.evaluate('window.readLarge().then(() => undefined)');
  await page.getByLabel('Prompt').fill('Which of them?');
  await call.filter({ hasText: 'Which of them?' }).waitFor();
  expect(await call.textContent()).toContain(small);
  await choose('broken.png', 'no picture');
  await page.getByText('This file could not be read.').waitFor();
  expect(await call.textContent()).not.toContain('base64');
  await page.close();
});

testInBrowser('what the browser did not copy is not said to be copied', async () => {
  const { page, open } = await openDesk('/settings');
  await page.addInitScript(`
    const writeText = () => Promise.reject(new Error('not allowed'));
    Object.defineProperty(navigator, 'clipboard', { value: { writeText } });
    document.execCommand = () => window.isOldWayOpen === true;
  `);
  await open('/settings');
  await page.getByRole('button', { name: 'Copy account id' }).click();
  await page.getByRole('button', { name: 'Not copied' }).waitFor();
  await page.evaluate('window.isOldWayOpen = true');
  await page.getByRole('button', { name: 'Copy account id' }).click();
  await page.getByRole('button', { name: 'Copied', exact: true }).waitFor();
  await page.close();
});
