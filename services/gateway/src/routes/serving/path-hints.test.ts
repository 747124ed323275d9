import { ROUTES } from '../table';
import { createPathHint } from './path-hints';

const hint = createPathHint(ROUTES);
const BASE = 'The base address of this API ends in /v1, once: ask';

test.each([
  ['/chat/completions', `${BASE} /v1/chat/completions.`],
  ['/v1/v1/chat/completions', `${BASE} /v1/chat/completions.`],
  ['/openai/v1/models', `${BASE} /v1/models.`],
  ['/api/v1/keys/key_7?x=1', `${BASE} /v1/keys/key_7.`],
  [
    '/v1/chat/completions/chat/completions',
    'The base address of this API ends in /v1, not in /v1/chat/completions, which clients append ' +
      'themselves: ask /v1/chat/completions.',
  ],
  ['/v1/chat/completions/', 'Did you mean /v1/chat/completions?'],
  ['/v1//chat/completions', 'Did you mean /v1/chat/completions?'],
  ['/v1/Chat/Completions', 'Did you mean /v1/chat/completions?'],
  ['/v1/chat/completion', 'Did you mean /v1/chat/completions?'],
  ['/v1/admin/acounts', 'Did you mean /v1/admin/accounts?'],
  ['/v1/auth/login', 'Did you mean /v1/users/login?'],
  ['/v1/nothing/like/it', 'GET /v1/openapi.json lists those that do.'],
])('%s answers with what was probably meant', (path, sentence) => {
  const { meant, message } = hint(path);
  expect(message).toBe(`This path does not exist. ${sentence}`);
  expect(sentence).toContain(meant ?? '/v1/openapi.json');
});

test.each(['/', '/nothing', '/favicon.ico', `/${'x'.repeat(10_000)}`])('%s has no hint', (path) => {
  expect(hint(path)).toEqual({ message: 'This path does not exist.' });
});
