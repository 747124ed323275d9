import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { type OpenedAccount, openAccount } from '../support/accounts';
import { launchBrowser } from '../support/console/browser';
import {
  type ConsoleTab,
  chooseIn,
  openOperatorTab,
  openTab,
  testInBrowser,
} from '../support/console/console-tab';
import { choose, focusOn, skipToContent, walk } from '../support/console/keyboard';
import { eventually } from '../support/eventually';
import { fetchDocumented } from '../support/openapi/documented-answers';
import { estimateOf, simulatorUrl, untilRouted } from '../support/vendors/simulator';
import {
  addToolModel,
  startToolVendor,
  TOOL_MODEL,
  type ToolVendor,
} from '../support/vendors/tool-vendor';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver';
import { type RunningTollgate, startTollgate } from '../topologies/start-tollgate';

jest.setTimeout(120_000);

let tollgate: RunningTollgate;
let receiver: WebhookReceiver;
let vendor: ToolVendor;
let browser: Browser | undefined;
let desk: ConsoleTab | undefined;
let customer: OpenedAccount;
let customerTab: ConsoleTab | undefined;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  vendor = await startToolVendor();
  tollgate = await startTollgate({
    TOLLGATE_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
    TOLLGATE_SIMULATOR_MODELS: 'sim-large,of-the-vendor',
    TOLLGATE_EGRESS_ALLOWED_HOSTS: vendor.host,
  });
  customer = await openAccount(tollgate.api, { credit: '3.00' });
});

afterAll(async () => {
  await browser?.close();
  await tollgate?.stop();
  await receiver?.stop();
  await vendor?.stop();
});

/** A page in the operator's one tab, which has signed in for the first of them. */
async function openPage(path: string): Promise<ConsoleTab> {
  browser ??= await launchBrowser();
  desk ??= await openOperatorTab(browser, tollgate);
  await desk.open(path);
  await desk.page.getByRole('heading', { level: 1 }).waitFor();
  return desk;
}

/** The same in the one tab of an account's owner. */
async function openCustomer(path: string): Promise<ConsoleTab> {
  browser ??= await launchBrowser();
  if (customerTab === undefined) {
    customerTab = await openTab(browser, tollgate);
    await customerTab.logIn(customer.owner.email, customer.owner.password);
    await customerTab.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  }
  await customerTab.open(path);
  return customerTab;
}

/** Answers the request's id. */
async function complete(model: string, content = 'Hello'): Promise<string> {
  const { status, headers } = await tollgate.api.request('POST', '/v1/llm/chat/completions', {
    body: { model, messages: [{ role: 'user', content }] },
  });
  expect(status).toBe(200);
  return headers.get('x-request-id') ?? '';
}

testInBrowser(
  'a model and a channel that were added answer, and the channel is checked',
  async () => {
    const { page, complaints } = await openPage('/operator/models');
    await page.getByRole('button', { name: 'Add model' }).click();
    const form = page.getByRole('dialog', { name: 'Add model' });
    await form.getByLabel('Name').fill('bridge-chat');
    await form.getByLabel('Prompt', { exact: true }).fill('1.00');
    await form.getByLabel('Completion').fill('2.00');
    await form.getByLabel('Cache write').fill('1.25');
    await form.getByRole('button', { name: 'Add model' }).click();
    const row = page.getByRole('row').filter({ hasText: 'bridge-chat' });
    await row.getByText('No channel').waitFor();
    await row.getByRole('button', { name: 'Change the prompt price' }).click();
    await page.getByLabel('New prompt price').fill('1.10');
    await page.getByLabel('New prompt price').press('Enter');
    const changed = 'Change the prompt price of bridge-chat, $1.10';
    await row.getByRole('button', { name: changed }).waitFor();
    const model = await tollgate.api.get('/v1/admin/models/bridge-chat');
    expect(model).toMatchObject({ kind: 'chat', pricing: { prompt: '1.10', cache_write: '1.25' } });

    await page.getByRole('link', { name: 'Channels', exact: true }).click();
    await page.getByRole('button', { name: 'Add channel' }).click();
    const drawer = page.getByRole('dialog', { name: 'Add channel' });
    await chooseIn(page, 'Vendor', 'Simulator');
    await drawer.getByLabel('Name').fill('second');
    await drawer.getByLabel('Address').fill(`${await simulatorUrl(tollgate.api)}/v1`);
    await drawer.getByLabel('Models').fill('bridge-chat=sim-small');
    await drawer.getByRole('button', { name: 'Ask the vendor' }).click();
    const found = drawer.getByRole('status');
    await found.filter({ hasText: '2 models, 1 of them in the catalogue' }).waitFor();
    expect(await drawer.getByLabel('Models').inputValue()).toBe('bridge-chat=sim-small\nsim-large');
    await drawer.getByText('Names that the catalogue does not have').click();
    await drawer.getByText('of-the-vendor', { exact: true }).waitFor();
    await drawer.getByLabel('Models').fill('bridge-chat=sim-small');
    await drawer.getByRole('button', { name: 'Add channel' }).click();
    await page.getByRole('button', { name: 'Check health' }).click();
    await page.getByRole('status').filter({ hasText: 'answered in' }).waitFor();
    await untilRouted(tollgate.api, 'bridge-chat');
    const id = await complete('bridge-chat');

    await page.getByRole('dialog').getByRole('link', { name: 'Requests' }).click();
    await page.locator(`tr a[href*="${id}"]`).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await page.locator(`tr a[href*="${id}"]`).click();
    await page.getByRole('dialog').getByRole('link', { name: 'second' }).first().click();
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('No other channel serves bridge-chat.').waitFor();
    await page.getByRole('button', { name: 'Disable channel' }).click();
    await page.getByRole('dialog').getByText('Disabled', { exact: true }).waitFor();
    await page.goto(`${tollgate.baseUrl}/console/operator/health`);
    await page.getByText('No channel can serve bridge-chat').waitFor();
    await page.getByRole('link', { name: 'See what wants attention' }).click();
    const alert = page
      .getByRole('listitem')
      .filter({ hasText: 'No channel can serve “bridge-chat”' });
    const runbook = await alert.getByRole('link', { name: 'Runbook' }).getAttribute('href');
    const told = await fetchDocumented(`${tollgate.baseUrl}${runbook}`);
    expect(told.status).toBe(200);
    expect(await told.text()).toContain('A vendor fails');
    await alert.getByRole('link', { name: 'Open the model' }).click();
    await page.getByRole('dialog', { name: 'bridge-chat' }).waitFor();
    expect(complaints).toEqual([]);
  },
);

testInBrowser('a price that is changed where it stands holds for the next charge', async () => {
  const { page, complaints } = await openPage('/operator/models');
  const before = await complete('sim-large');
  const estimate = () => estimateOf(tollgate.api, 'sim-large');
  const reserved = await estimate();
  const priceName = 'completion price of sim-large';
  await page.getByRole('button', { name: `Change the ${priceName}` }).click();
  await page.getByLabel(`New ${priceName}`).fill('100');
  await page.getByLabel(`New ${priceName}`).press('Enter');
  await page.getByRole('button', { name: `${priceName}, $100.00` }).waitFor();
  await eventually(estimate, (now) => now > reserved);
  const after = await complete('sim-large', 'How much now?');

  await page.getByRole('link', { name: 'Requests', exact: true }).click();
  const charge = (id: string) => page.locator(`tr:has(a[href*="${id}"])`).getByRole('cell').last();
  await charge(after).waitFor();
  expect(await charge(before).textContent()).toMatch(/^\$0\.000\d/);
  expect(await charge(after).textContent()).toMatch(/^\$0\.00[1-9]/);
  expect(complaints).toEqual([]);
});

testInBrowser(
  'credit is granted and taken back, each time with a reason in the ledger',
  async () => {
    const { id } = await openAccount(tollgate.api);
    const { page, complaints } = await openPage(`/operator/accounts?open=${id}`);
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('button', { name: 'Grant credit' }).click();
    const credit = page.getByRole('dialog', { name: /^Grant credit to/ });
    await credit.getByLabel('Amount').fill('12.50');
    await credit.getByLabel('Note').fill('Invoice 7');
    await credit.getByRole('button', { name: 'Grant credit' }).click();
    await drawer.getByText('Invoice 7').waitFor();
    await drawer.getByText('+$12.50').waitFor();

    await drawer.getByRole('button', { name: 'Adjust balance' }).click();
    const adjustment = page.getByRole('dialog', { name: /^Adjust the balance of/ });
    await adjustment.getByLabel('Amount').fill('-2.50');
    await adjustment.getByLabel('Reason').fill('Credited too much');
    await adjustment.getByRole('button', { name: 'Adjust balance' }).click();
    await drawer.getByText('−$2.50').waitFor();
    await drawer.getByText('$10.00').first().waitFor();

    for (const [item, ending] of [
      ['Everything, as JSON Lines', 'jsonl'],
      ['The ledger, as CSV', 'csv'],
    ] as const) {
      await drawer.getByRole('button', { name: 'Export' }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: item }).click(),
      ]);
      expect(download.suggestedFilename()).toBe(`account-${id}.${ending}`);
      const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\n');
      expect(lines.at(-2)).toContain('Invoice 7');
      expect(lines.at(-1)).toContain('Credited too much');
      expect(lines[0]?.startsWith('{"type":"account"')).toBe(ending === 'jsonl');
    }
    expect(complaints).toEqual([]);
  },
);

testInBrowser('a table of prices is checked before it is applied', async () => {
  const { page, complaints } = await openPage('/operator/models');
  await page.getByRole('button', { name: 'Import prices' }).click();
  const drawer = page.getByRole('dialog', { name: 'Import prices' });
  const columns = 'name,context_length,max_completion_tokens,prompt,completion';
  await drawer.getByLabel('Table').fill(`${columns}\nimported-chat,8000,1000,0.50,1.50`);
  await drawer.getByRole('button', { name: 'Check' }).click();
  await drawer.getByRole('heading', { name: '1 model would change' }).waitFor();
  await drawer.getByRole('button', { name: 'Apply' }).click();
  await drawer.waitFor({ state: 'hidden' });
  await page.getByRole('row').filter({ hasText: 'imported-chat' }).getByText('$1.50').waitFor();
  expect(complaints).toEqual([]);
});

testInBrowser('a plan that is made and changed holds for who has it', async () => {
  const { owner, id } = await openAccount(tollgate.api, { credit: '1.00' });
  const { page, complaints } = await openPage('/operator/plans?open=-new');
  const form = page.getByRole('dialog', { name: 'Create plan' });
  await form.getByLabel('Id').fill('tiny');
  await form.getByLabel('Name').fill('Tiny');
  await form.getByLabel('Requests a day').fill('100');
  await form.getByRole('button', { name: 'Create plan' }).click();
  await page.getByRole('link', { name: 'Tiny' }).click();
  const plan = page.getByRole('dialog', { name: 'Tiny' });
  await plan.getByLabel('Requests a day').fill('200');
  await plan.getByRole('button', { name: 'Save' }).click();
  await plan.getByRole('heading', { name: 'Before' }).waitFor();

  await page.goto(`${tollgate.baseUrl}/console/operator/accounts?open=${id}`);
  const account = page.getByRole('dialog');
  await account.getByText('Change settings').click();
  await chooseIn(page, 'Plan', 'Tiny');
  await account.getByLabel('Requests at once').fill('7');
  await account.getByLabel('Discount').fill('10');
  await account.getByRole('button', { name: 'Save' }).click();
  await account.getByText('7 requests at once').waitFor();
  await account.getByText('10.00 %').waitFor();
  expect(await owner.api.get('/v1/billing/plans')).toMatchObject({ current: 'tiny' });
  expect(await tollgate.api.get(`/v1/admin/accounts/${id}`)).toMatchObject({
    overrides: { limits: { concurrent_requests: 7 }, discount: '10.00' },
  });
  expect(complaints).toEqual([]);
});

testInBrowser('somebody who is no operator sees their account and nothing of others', async () => {
  const tab = await openCustomer('/');
  await tab.page.getByText('$3.00').first().waitFor();
  expect(await tab.page.getByText('Operator', { exact: true }).count()).toBe(0);
  await tab.open('/operator/accounts');
  await tab.page.getByText('is for those who run this Tollgate').waitFor();
  expect(tab.freshComplaints()).toEqual([]);
});

testInBrowser('whoever owns an account says when it is told of a low balance', async () => {
  const { owner } = customer;
  const tab = await openCustomer('/billing');
  const section = tab.page.getByRole('region', { name: 'Low balance' });
  await section.getByLabel('Warn below these amounts').fill('2.50');
  await section.getByLabel('Warn below these amounts').press('Enter');
  await section.getByLabel('Stop spending below').fill('0.50');
  await section.getByRole('button', { name: 'Save' }).click();
  await section.getByText('Saved').waitFor();
  // Whoever saved goes on from where they were.
  await focusOn(tab.page, 'Save');
  expect(await owner.api.get('/v1/billing/thresholds')).toMatchObject({
    amounts: ['2.50'],
    days: [],
    suspend_below: '0.50',
    source: 'account',
  });
  await section.getByRole('button', { name: 'Go back to the plan’s' }).click();
  await section.getByRole('button', { name: 'Go back to the plan’s' }).waitFor({ state: 'hidden' });
  expect(await section.getByLabel('Stop spending below').inputValue()).toBe('');
  expect(tab.freshComplaints()).toEqual([]);
  await tab.open('/requests?open=req_01J00000000000000000000000');
  await tab.page.getByText('No request of this id is kept').waitFor();
  await tab.page.getByText('This resource does not exist.').waitFor();
});

testInBrowser(
  'codes are made once, one is redeemed by a customer, and one is revoked',
  async () => {
    const { owner } = customer;
    const { page, complaints } = await openPage('/operator/codes?open=-new');
    const form = page.getByRole('dialog', { name: /^(Create|New) codes$/ });
    await form.getByLabel('Amount').fill('2.50');
    await form.getByLabel('How many').fill('2');
    await form.getByLabel('Note').fill('A fair');
    await form.getByRole('button', { name: 'Create codes' }).click();
    const texts = (await form.locator('pre', { hasText: /^TG-/ }).textContent()) ?? '';
    const [first = '', second = ''] = texts.split('\n');

    const their = await openCustomer('/billing');
    await their.page.getByRole('heading', { name: 'Billing', level: 1 }).waitFor();
    await their.page.getByRole('textbox', { name: 'Code' }).fill(first.toLowerCase());
    await their.page.getByRole('button', { name: 'Redeem' }).click();
    await their.page.getByText('of credit is in your balance').waitFor();
    await their.page.getByRole('cell', { name: '+$2.50' }).waitFor();
    const statements = their.page.getByRole('region', { name: 'Statements' }).first();
    await statements.getByRole('link').first().click();
    const statement = their.page.getByRole('dialog', { name: /^Statement of/ });
    await statement.getByText('.50').first().waitFor(); // the $3.00 of before may be of last month
    const [printed] = await Promise.all([
      their.page.waitForEvent('popup'),
      statement.getByRole('button', { name: 'Page to print' }).click(),
    ]);
    await printed.getByRole('heading', { name: /^Statement of .*, \w+ \d{4}$/ }).waitFor();
    const align = 'getComputedStyle(document.querySelector("td.n")).textAlign';
    expect(await printed.evaluate(align)).toBe('right');

    await form.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('link', { name: second.slice(-4) }).click();
    await page.getByRole('button', { name: 'Revoke code' }).click();
    const danger = page.getByRole('dialog', { name: /^Revoke / });
    await danger.getByRole('button', { name: 'Revoke code' }).click();
    await danger.waitFor({ state: 'hidden' });
    await page.getByRole('dialog').getByText('Revoked', { exact: true }).waitFor();
    const refused = await owner.api.request('POST', '/v1/account/redeem', {
      body: { code: second },
    });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect([...complaints, ...their.freshComplaints()]).toEqual([]);
  },
);

testInBrowser('who forgot the password sets a new one by a code, which the log tells', async () => {
  const { owner } = customer;
  const operator = await openPage('/operator/users');
  await operator.page.getByRole('link', { name: owner.email }).click();
  await operator.page.getByRole('button', { name: 'Make a reset code' }).click();
  const drawer = operator.page.getByRole('dialog');
  await drawer.getByText('Copy the code now').waitFor();
  const code = (await drawer.locator('pre').first().textContent()) ?? '';

  browser ??= await launchBrowser();
  const tab = await openTab(browser, tollgate);
  await tab.page.getByText('Forgotten your password?').click();
  await tab.page.getByLabel('Code').fill(code);
  await tab.page.getByLabel('New password').fill('another-password-of-theirs');
  await tab.page.getByRole('button', { name: 'Set password' }).click();
  await tab.page.getByText('The password is set.').waitFor();
  await tab.logIn(owner.email, 'another-password-of-theirs');
  await tab.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();

  await operator.open('/operator/audit-log');
  const write = operator.page.getByRole('row').filter({ hasText: 'Made a reset code' }).first();
  await write.waitFor();
  expect(await write.textContent()).not.toContain(code);
  expect([...tab.complaints, ...operator.complaints]).toEqual([]);
  await tab.close();
});

testInBrowser('a request is told as a story, from its arrival to its charge', async () => {
  const { page, complaints } = await openPage('/requests');
  const id = await complete('auto', 'Tell me a story');
  await page.getByLabel('Request id').fill(id);
  await page.getByLabel('Request id').press('Enter');
  const story = page.getByRole('dialog', { name: 'Request' });
  await story.getByText('Asked for auto, which led to').waitFor();
  const steps = await story.getByRole('list').getByRole('listitem').allTextContents();
  const titles = ['Received', 'Within its limits', 'Reserved', 'Succeeded', 'Charged'];
  expect(steps).toEqual(titles.map((title) => expect.stringMatching(`^${title}`) as string));
  await story.getByText('JSON').click();
  await story.getByText(`"id": "${id}"`).waitFor();
  expect(complaints).toEqual([]);
});

testInBrowser('usage appears on its page and in the CSV that it offers', async () => {
  const { page, complaints } = await openPage('/usage');
  expect(await complete('sim-small', 'Count me')).not.toBe('');
  const row = page
    .getByRole('region', { name: 'Usage by model' })
    .getByRole('row')
    .filter({ hasText: 'sim-small' });
  await row.waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('usage-model-7d.csv');
  expect(complaints).toEqual([]);
});

testInBrowser('a webhook is made, tested, and an event delivered once more', async () => {
  const { page, complaints } = await openPage('/webhooks');
  await page.getByRole('button', { name: 'Create webhook' }).first().click();
  const drawer = page.getByRole('dialog', { name: /^(Create webhook|New signing secret)$/ });
  await drawer.getByLabel('Address').fill(receiver.url('/console'));
  await drawer.getByRole('button', { name: 'Create webhook' }).click();
  await drawer.locator('pre', { hasText: /^whsec_/ }).waitFor();
  await drawer.getByRole('button', { name: 'Done' }).click();

  await page.getByRole('link', { name: receiver.url('/console') }).click();
  await page.getByRole('button', { name: 'Send test' }).click();
  await receiver.waitFor('/console', 1);
  await page.getByText('Succeeded').first().waitFor();
  await page.getByRole('button', { name: 'Redeliver webhook.test' }).click();
  const [first, second] = await receiver.waitFor('/console', 2);
  expect(second?.event.id).toBe(first?.event.id);
  expect(complaints).toEqual([]);
});

testInBrowser('the playground streams an answer and says what it cost', async () => {
  const { page, complaints } = await openPage('/playground');
  await page.getByLabel('Prompt').fill('Say something about bridges');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText(/tokens in, [\d,]+ out/).waitFor();
  await page.getByText(/^\$0\.0*[1-9].* in /).waitFor();
  await page.getByRole('link', { name: 'Its story' }).click();
  await page.getByRole('dialog', { name: 'Request' }).getByText('Streamed').waitFor();
  expect(complaints).toEqual([]);
});

testInBrowser('the playground offers tools and shows which of them a model calls', async () => {
  await addToolModel(tollgate.api, vendor);
  const { page, complaints } = await openPage('/playground');
  await chooseIn(page, 'Model', TOOL_MODEL);
  await page.getByLabel('Prompt').fill('How is the weather?');
  await page.getByText('Tools and an image').click();
  await page.getByLabel('Tools').fill('[{"type":"function"}]');
  await page.getByLabel('Prompt').press('Control+Enter');
  await page.getByText('Each tool needs').waitFor();
  const tools = [{ type: 'function', function: { name: 'weather', parameters: {} } }];
  await page.getByLabel('Tools').fill(JSON.stringify(tools));
  await page.getByLabel('Prompt').press('Control+Enter');
  await page.getByText('weather({"place":"Bern"})').waitFor();
  await page.getByText('weather({"place":"Chur"})').waitFor();
  expect(vendor.received.at(-1)?.tools).toMatchObject(tools);

  const image = { name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from('a picture') };
  await page.locator('input[type="file"]').setInputFiles(image);
  await page.getByText('"image_url"').first().waitFor();
  expect(complaints).toEqual([]);
});

testInBrowser('a channel is made of what its vendor has by the keyboard alone', async () => {
  const { page, complaints } = await openPage('/operator/channels');
  const { keyboard } = page;
  await skipToContent(page);
  await walk(page, 'Add channel');
  await keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name: 'Add channel' });
  await focusOn(page, 'Name');
  await keyboard.press('Escape');
  await drawer.waitFor({ state: 'hidden' });
  await focusOn(page, 'Add channel');

  await keyboard.press('Enter');
  await focusOn(page, 'Name');
  await keyboard.press('Shift+Tab');
  await focusOn(page, 'Vendor');
  await choose(page, 'Simulator');
  await walk(page, 'Name');
  await keyboard.type('by keyboard');
  await walk(page, 'Address');
  await keyboard.type(`${await simulatorUrl(tollgate.api)}/v1`);
  await walk(page, 'Ask the vendor');
  await keyboard.press('Enter');
  await drawer.getByRole('status').filter({ hasText: '2 models, 1 of them' }).waitFor();
  const stops = await walk(page, 'Add channel');
  expect(stops.filter(({ isSeen }) => !isSeen)).toEqual([]);
  await keyboard.press('Enter');
  const added = page.getByRole('dialog', { name: 'by keyboard' });
  await added.getByRole('button', { name: 'Check health' }).waitFor();
  await keyboard.press('Escape');
  await added.waitFor({ state: 'hidden' });
  expect(complaints).toEqual([]);
});

testInBrowser('a price is left and changed where it stands by the keyboard alone', async () => {
  const { page, complaints } = await openPage('/operator/models');
  const { keyboard } = page;
  const price = (amount: string) => `Change the prompt price of sim-small, ${amount}`;
  await page.getByRole('link', { name: 'sim-small' }).waitFor();
  await skipToContent(page);
  const before = (await walk(page, /^Change the prompt price of sim-small/)).at(-1)?.name ?? '';
  await keyboard.press('Enter');
  await focusOn(page, 'New prompt price of sim-small');
  await keyboard.press('Escape');
  await focusOn(page, before);
  await keyboard.press('Enter');
  await focusOn(page, 'New prompt price of sim-small');
  await keyboard.press('Control+A');
  await keyboard.type('0.21');
  await keyboard.press('Enter');
  await focusOn(page, price('$0.21'));
  expect(complaints).toEqual([]);
});

testInBrowser('an account is found and given credit by the keyboard alone', async () => {
  const name = 'found-by-keyboard';
  const { id } = await openAccount(tollgate.api, { name });
  const { page, complaints } = await openPage('/operator/accounts');
  const { keyboard } = page;
  await skipToContent(page);
  await walk(page, 'Name or email');
  await keyboard.type('found-by');
  const rows = page.getByRole('table').getByRole('row');
  await eventually(
    () => rows.count(),
    (count) => count === 2,
  );
  await walk(page, name);
  await keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name, exact: true });
  await drawer.getByRole('button', { name: 'Grant credit' }).waitFor();
  await walk(page, 'Grant credit');
  await keyboard.press('Enter');
  await focusOn(page, 'Amount');
  await keyboard.type('3');
  await walk(page, 'Note');
  await keyboard.type('By keyboard');
  await keyboard.press('Enter');
  await drawer.getByText('By keyboard').waitFor();
  await focusOn(page, 'Grant credit');
  await keyboard.press('Escape');
  await drawer.waitFor({ state: 'hidden' });
  await focusOn(page, name);
  expect(await tollgate.api.get(`/v1/admin/accounts/${id}/balance`)).toMatchObject({
    available: '3.00',
  });
  expect(complaints).toEqual([]);
});

testInBrowser('an event is delivered once more by the keyboard alone', async () => {
  const url = receiver.url('/keyboard');
  await tollgate.api.post('/v1/webhooks', { url, events: ['balance.low'] });
  const { page, complaints } = await openPage('/webhooks');
  const { keyboard } = page;
  await page.getByRole('link', { name: url }).waitFor();
  await skipToContent(page);
  await walk(page, url);
  await keyboard.press('Enter');
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('button', { name: 'Send test' }).waitFor();
  await walk(page, 'Send test');
  await keyboard.press('Enter');
  await receiver.waitFor('/keyboard', 1);
  await drawer.getByText('Succeeded').first().waitFor();
  await walk(page, 'Redeliver webhook.test');
  await keyboard.press('Enter');
  await receiver.waitFor('/keyboard', 2);
  await keyboard.press('Escape');
  await drawer.waitFor({ state: 'hidden' });
  await focusOn(page, url);
  expect(complaints).toEqual([]);
});

testInBrowser('a plan says when its accounts are told, by the keyboard alone', async () => {
  const { page, complaints } = await openPage('/operator/plans');
  const { keyboard } = page;
  await page.getByRole('link', { name: 'Smart' }).waitFor();
  await skipToContent(page);
  await walk(page, 'Smart');
  await keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name: 'Smart' });
  await drawer.getByLabel('Requests a day').waitFor();
  await walk(page, /^Tell accounts of a low balance/);
  await keyboard.press('Space');
  await walk(page, 'Warn below these amounts');
  await keyboard.type('5.00');
  await keyboard.press('Enter');
  await walk(page, 'Warn with so many days left');
  await keyboard.type('7,3,');
  await walk(page, 'Save');
  await keyboard.press('Enter');
  await drawer.getByText('Saved').waitFor();
  expect(await tollgate.api.get('/v1/admin/plans/smart')).toMatchObject({
    thresholds: { amounts: ['5.00'], days: [7, 3] },
  });
  await keyboard.press('Escape');
  await drawer.waitFor({ state: 'hidden' });
  await focusOn(page, 'Smart');
  expect(complaints).toEqual([]);
});

testInBrowser('an account is erased once its name was typed, and shows that it is', async () => {
  const { id, owner } = await openAccount(tollgate.api, { name: 'to-erase', credit: '1.00' });
  const { page, complaints } = await openPage(`/operator/accounts?open=${id}`);
  await page.getByRole('dialog').getByRole('button', { name: 'Erase account' }).click();
  const danger = page.getByRole('dialog', { name: 'Erase the account “to-erase”' });
  expect(await danger.getByRole('button', { name: 'Erase account' }).isDisabled()).toBe(true);
  await danger.getByLabel('Type to-erase to confirm').fill('to-erase');
  await danger.getByRole('button', { name: 'Erase account' }).click();
  const erased = page.getByRole('dialog').getByText(/^Eras(ing|ed)$/);
  await erased.waitFor();
  expect(await page.getByRole('button', { name: 'Grant credit' }).count()).toBe(0);
  expect((await owner.api.request('GET', '/v1/users/me')).status).toBe(401);
  expect(complaints).toEqual([]);
});
