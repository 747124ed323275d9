import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../support/browser';
import { type ConsoleTab, openOperatorTab, testInBrowser } from '../support/console-tab';
import { fetchDocumented } from '../support/documented-answers';
import { eventually } from '../support/eventually';
import { focusOn, skipToContent, walk } from '../support/keyboard';
import { type EmbeddedTollgate, startEmbedded } from '../topologies/embedded';

jest.setTimeout(120_000);

let tollgate: EmbeddedTollgate;
let browser: Browser | undefined;
let desk: ConsoleTab | undefined;

beforeAll(async () => {
  tollgate = await startEmbedded({ TOLLGATE_GATEWAY_DENIAL_WINDOW_MS: '1000' });
});

afterAll(async () => {
  await browser?.close();
  await tollgate?.stop();
});

/** The page in one tab, which has signed in for the first test. */
async function openKeys(): Promise<ConsoleTab> {
  browser ??= await launchBrowser();
  desk ??= await openOperatorTab(browser, tollgate);
  await desk.open('/keys');
  return desk;
}

async function statusWith(key: string): Promise<number> {
  const { status } = await fetchDocumented(`${tollgate.baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'auto', messages: [{ role: 'user', content: 'Hello' }] }),
  });
  return status;
}

async function readSecret(page: Page): Promise<string> {
  const secret = page.locator('pre', { hasText: /^tg_live_/ });
  return (await secret.textContent()) ?? '';
}

async function createKey(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'Create key' }).click();
  const drawer = page.getByRole('dialog', { name: 'Create API key' });
  await drawer.getByLabel('Name').fill(name);
  await drawer.getByRole('button', { name: 'Create key' }).click();
  const secret = await readSecret(page);
  await drawer.getByRole('button', { name: 'Done' }).click();
  return secret;
}

testInBrowser('a key that was made works, and its use and cost appear', async () => {
  const { page, complaints } = await openKeys();
  const key = await createKey(page, 'from the console');
  expect(await page.getByText(key).count()).toBe(0);
  const row = page.getByRole('row').filter({ hasText: 'from the console' });
  await row.getByText('Never').waitFor();
  expect(await statusWith(key)).toBe(200);
  await row.getByText('just now').first().waitFor();
  await row.getByText(/\$0\.0*[1-9]/).waitFor();
  expect(complaints).toEqual([]);
});

testInBrowser('a suspended key is refused until it is resumed', async () => {
  const { page, complaints } = await openKeys();
  const key = await createKey(page, 'to suspend');
  await page.getByRole('link', { name: 'to suspend' }).click();
  await page.getByRole('button', { name: 'Suspend' }).click();
  await page.getByRole('dialog').getByText('Suspended', { exact: true }).waitFor();
  expect(await statusWith(key)).toBe(401);
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('dialog').getByText('Active', { exact: true }).waitFor();
  expect(await statusWith(key)).toBe(200);
  expect(complaints).toEqual([]);
});

testInBrowser('rotating shows a new secret once; without grace the old one ends', async () => {
  const { page, complaints } = await openKeys();
  const before = await createKey(page, 'to rotate');
  await page.getByRole('link', { name: 'to rotate' }).click();
  await page.getByRole('button', { name: 'Rotate' }).click();
  const question = page.getByRole('dialog', { name: 'Rotate this key' });
  await question.getByRole('combobox').click();
  await page.getByRole('option', { name: 'Not at all' }).click();
  await question.getByRole('button', { name: 'Rotate key' }).click();
  const after = await readSecret(page);
  expect(after).not.toBe(before);
  expect(await statusWith(after)).toBe(200);
  expect(await statusWith(before)).toBe(401);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Rotate' }).waitFor();
  expect(complaints).toEqual([]);
});

testInBrowser(
  'revoking says what it breaks, wants the name, and ends the key at once',
  async () => {
    const { page, complaints } = await openKeys();
    const key = await createKey(page, 'to revoke');
    expect(await statusWith(key)).toBe(200);
    await page.getByRole('link', { name: 'to revoke' }).click();
    await page.getByRole('button', { name: 'Revoke' }).click();
    const question = page.getByRole('dialog', { name: 'Revoke to revoke' });
    await question.getByText('It was used 1 time in the last 24 hours').waitFor();
    expect(await question.getByRole('button', { name: 'Revoke key' }).isDisabled()).toBe(true);
    await question.getByLabel('Type to revoke to confirm').fill('to revoke');
    await question.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByRole('link', { name: 'to revoke' }).waitFor({ state: 'detached' });
    expect(await statusWith(key)).toBe(401);
    expect(complaints).toEqual([]);
  },
);

testInBrowser('what the API would refuse is said beside the field before it is sent', async () => {
  const { page, complaints } = await openKeys();
  await page.getByRole('button', { name: 'Create key' }).click();
  const drawer = page.getByRole('dialog', { name: 'Create API key' });
  await drawer.getByText('More settings').click();
  await drawer.getByLabel('Budget', { exact: true }).fill('a lot');
  await drawer.getByRole('button', { name: 'Create key' }).click();
  await drawer.getByText('Give it a name').waitFor();
  await drawer.getByText('An amount such as 25.00').waitFor();
  await drawer.getByLabel('Name').fill('with limits');
  await drawer.getByLabel('Budget', { exact: true }).fill('2.50');
  await drawer.getByLabel('Requests a minute').fill('7');
  await drawer.getByRole('button', { name: 'Create key' }).click();
  await drawer.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('link', { name: 'with limits' }).click();
  await page.getByText('of $2.50').first().waitFor();
  expect(complaints).toEqual([]);
});

testInBrowser('a key is made, seen and left by the keyboard alone', async () => {
  const { page, complaints } = await openKeys();
  const { keyboard } = page;
  await page.getByRole('link', { name: 'from the console' }).waitFor();
  const stops = await walk(page, 'Create key');
  // First the way past the rail, then the rail from its top.
  expect(stops.slice(0, 2).map(({ name }) => name)).toEqual(['Skip to content', 'Overview']);
  expect(stops.filter(({ isSeen }) => !isSeen)).toEqual([]);

  await keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name: 'Create API key' });
  await drawer.getByLabel('Name').waitFor();
  await keyboard.type('by keyboard');
  await keyboard.press('Enter');
  await drawer.locator('pre', { hasText: /^tg_live_/ }).waitFor();
  const inDrawer = await walk(page, 'Done');
  expect(inDrawer.filter(({ isSeen }) => !isSeen)).toEqual([]);
  await keyboard.press('Enter');
  await drawer.waitFor({ state: 'hidden' });
  await focusOn(page, 'Create key');

  await walk(page, 'by keyboard');
  await keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'by keyboard' }).waitFor();
  await keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'by keyboard' }).waitFor({ state: 'hidden' });
  await focusOn(page, 'by keyboard');
  expect(complaints).toEqual([]);
});

testInBrowser('the playground is asked by the keyboard alone', async () => {
  const { page, open, complaints } = await openKeys();
  await open('/playground');
  await page.getByRole('heading', { name: 'Playground', level: 1 }).waitFor();
  const { keyboard } = page;
  await skipToContent(page);
  await walk(page, 'Prompt');
  await keyboard.type('Say something short');
  const stops = await walk(page, 'Send');
  expect(stops.filter(({ isSeen }) => !isSeen)).toEqual([]);
  await keyboard.press('Enter');
  await page.getByRole('link', { name: 'Its story' }).waitFor();
  await walk(page, 'Its story');
  await keyboard.press('Enter');
  const story = page.getByRole('dialog', { name: 'Request' });
  await story.getByText('Streamed').waitFor();
  await keyboard.press('Escape');
  await story.waitFor({ state: 'hidden' });
  expect(complaints).toEqual([]);
});

testInBrowser(
  'an operator finds why a request was refused, and what would decide now',
  async () => {
    const ask = (model: string) =>
      tollgate.api.request('POST', '/v1/chat/completions', {
        body: { model, messages: [{ role: 'user', content: 'Hello' }] },
      });
    const ids: string[] = [];
    const told: string[] = [];
    for (const model of ['no-such-model', 'sim-small']) {
      const { body, headers } = await ask(model);
      const id = headers.get('x-request-id') ?? '';
      told.push(body?.error?.message ?? '');
      await eventually(
        () => tollgate.api.request('GET', `/v1/admin/requests/${id}`),
        ({ status }) => status === 200,
      );
      ids.push(id);
    }
    const { page, open, complaints } = await openKeys();
    await open(`/operator/requests?open=${ids[0]}`);
    const story = page.getByRole('dialog', { name: 'Request' });
    await story.getByText('Asked for no-such-model.').waitFor();
    await story
      .getByText(told[0] ?? '')
      .first()
      .waitFor();
    await open(`/operator/requests?open=${ids[1]}`);
    await story.getByRole('list', { name: 'Candidates' }).getByText('sim-small at').waitFor();
    expect(complaints).toEqual([]);
  },
);
