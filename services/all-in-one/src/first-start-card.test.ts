import { formatCard } from './first-start-card';

const common = { publicUrl: 'http://127.0.0.1:8080', dataDirectory: '/data' };
const firstStart = { email: 'operator@tollgate.local', password: 'hush', apiKey: 'a-key' };

test('the first start shows the addresses, the login, the key and one line to paste', () => {
  const card = formatCard({ ...common, firstStart, model: 'simulated-small' });
  expect(card).toContain('http://127.0.0.1:8080/v1\n');
  expect(card).toContain('http://127.0.0.1:8080/console/\n');
  expect(card).toContain('operator@tollgate.local');
  expect(card).toContain('hush');
  const [curl = ''] = card.split('\n').filter((line) => line.startsWith('curl '));
  expect(curl).toContain("-H 'Authorization: Bearer a-key'");
  const body: unknown = JSON.parse(/-d '(.*)'$/.exec(curl)?.[1] ?? '');
  expect(body).toEqual({
    model: 'simulated-small',
    messages: [{ role: 'user', content: 'Hello' }],
  });
});

test('later starts show no secret', () => {
  const card = formatCard({ ...common, firstStart: undefined, model: undefined });
  expect(card).toContain('http://127.0.0.1:8080/v1');
  expect(card).not.toMatch(/Password|API key|curl/);
});

test('a password that the operator chose is not repeated', () => {
  const chosen = { ...firstStart, password: undefined };
  const card = formatCard({ ...common, firstStart: chosen, model: undefined });
  expect(card).toContain('(the one you configured)');
});
