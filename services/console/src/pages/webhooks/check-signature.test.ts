import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SIGNATURE_CHECKS } from './check-signature';

test('a signature is checked beside its secret as in the guide', () => {
  const guide = readFileSync(join(__dirname, '../../../../../docs/guide/webhooks.md'), 'utf8');
  for (const { text } of SIGNATURE_CHECKS) expect(guide).toContain(`\n${text}\n\`\`\``);
});
