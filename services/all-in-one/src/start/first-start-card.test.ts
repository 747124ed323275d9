import { formatCard } from './first-start-card';

const common = {
  publicUrl: 'http://127.0.0.1:8080',
  dataDirectory: '/data',
  namesDirectory: false,
  vendors: 'none, the simulator answers',
  operatorEmail: 'operator@tollgate.local',
};
// As long as those that are made.
const firstStart = {
  email: 'operator@tollgate.local',
  password: 'hush',
  apiKey: `a-key-${'x'.repeat(45)}`,
};

test('the first start shows the addresses, the login, the key and one command to paste', () => {
  const card = formatCard({ ...common, firstStart });
  expect(card).toContain('http://127.0.0.1:8080/v1\n');
  expect(card).toContain('http://127.0.0.1:8080/console/\n');
  expect(card).toContain('operator@tollgate.local');
  expect(card).toContain('hush');
  const command = card.slice(card.indexOf('curl ')).trimEnd();
  expect(command.split('\n').slice(0, -1)).toEqual(
    expect.arrayContaining([expect.stringMatching(/ \\$/)]),
  );
  expect(command).toContain(`-H 'Authorization: Bearer ${firstStart.apiKey}' \\\n`);
  const body: unknown = JSON.parse(/-d '(.*)'$/.exec(command)?.[1] ?? '');
  expect(body).toEqual({ model: 'auto', messages: [{ role: 'user', content: 'Hello' }] });
});

test('no line of the card is wider than a terminal of 100 columns', () => {
  const lines = formatCard({ ...common, firstStart }).split('\n');
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(100);
});

test.each([firstStart, undefined])('every card says who answers', (start) => {
  const card = formatCard({ ...common, firstStart: start });
  expect(card).toContain('  Vendor    none, the simulator answers\n');
  const elsewhere = formatCard({ ...common, vendors: undefined, firstStart: start });
  expect(elsewhere).not.toContain('Vendor');
});

test('later starts show no secret, and how a lost password is replaced', () => {
  const card = formatCard({ ...common, firstStart: undefined });
  expect(card).toContain('http://127.0.0.1:8080/v1');
  expect(card).not.toMatch(/hush|Operator|a-key|curl/);
  const command = 'npm start -- user reset-password operator@tollgate.local\n';
  expect(card).toContain(`lost the password? ${command}`);
  expect(card).toContain('API key   lost? Sign in to the console');
});

test.each([
  ['/srv/tollgate', 'TOLLGATE_DATA_DIR=/srv/tollgate npm start -- user'],
  ["/srv/it's mine", "TOLLGATE_DATA_DIR='/srv/it'\\''s mine' npm start -- user"],
])('the line for a lost password works from any shell: %s', (dataDirectory, line) => {
  const named = { ...common, dataDirectory, namesDirectory: true };
  expect(formatCard({ ...named, firstStart: undefined })).toContain(line);
});

test('a password that the operator chose is not repeated', () => {
  const card = formatCard({ ...common, firstStart: { ...firstStart, password: undefined } });
  expect(card).toContain('(the one you configured)');
});
