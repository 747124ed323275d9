import type { Channel } from '../../api/schemas';
import {
  addModels,
  CHANNEL_RULES,
  EMPTY_CHANNEL,
  toChannelChanges,
  toChannelDraft,
  toNewChannel,
} from './channel-draft';

// What the form shows; the API says more of a channel.
const CHANNEL = {
  name: 'first',
  type: 'openai',
  base_url: 'https://vendor.example.com/v1',
  models: [
    { name: 'small', upstream_name: 'vendor-small' },
    { name: 'large', upstream_name: 'large' },
  ],
  groups: [],
  priority: 0,
  weight: 1,
  max_concurrency: null,
  auto_disable: true,
} as unknown as Channel;

test('a model may have another name at its vendor', () => {
  const body = toNewChannel({
    ...EMPTY_CHANNEL,
    name: 'first',
    models: 'small=vendor=small:1\n\n large ',
  });
  expect(body.models).toEqual([
    { name: 'small', upstream_name: 'vendor=small:1' },
    { name: 'large', upstream_name: 'large' },
  ]);
  expect(body).not.toHaveProperty('credential');
});

test('a change sends what differs, and a credential only when one was written', () => {
  const draft = toChannelDraft(CHANNEL);
  expect(toChannelChanges(draft, CHANNEL)).toEqual({});
  expect(toChannelChanges({ ...draft, weight: '2', credential: 'new' }, CHANNEL)).toEqual({
    weight: 2,
    credential: 'new',
  });
});

test('models that a vendor named come after those that were written, none twice', () => {
  const written = ' mine=theirs\n\nsmall=vendor-small';
  expect(addModels(written, ['theirs', 'small', 'large'])).toBe(
    'mine=theirs\nsmall=vendor-small\nlarge',
  );
  expect(addModels('', ['small', 'large'])).toBe('small\nlarge');
});

test('lines that name no model are refused with the line', () => {
  expect(CHANNEL_RULES.models('small\nWith Blanks')).toContain('With Blanks');
  expect(CHANNEL_RULES.models(' \n')).not.toBeNull();
  expect(CHANNEL_RULES.models('small\nlarge=Vendor/Large')).toBeNull();
});
