import { useKeys } from '../../api/keys';
import { type Filter, Filters } from '../../components/filters';
import { ListView } from '../../components/list-view';
import { CreateDrawer, OpenedDrawer } from '../../components/overlay';
import { CreateButton, Page } from '../../components/page';
import { useOpenThing, useUrlState } from '../../url/url-state';
import { keyColumns } from './columns';
import { CreateKey } from './create-key';
import { KEY_STATES } from './describe-key';
import { KeyDetails } from './key-details';
import { fitsKey, orderKeys } from './key-list';

const FILTERS: readonly Filter[] = [
  { name: 'name', label: 'Search' },
  {
    name: 'status',
    label: 'Status',
    options: KEY_STATES.map((label) => ({ value: label, label })),
  },
  {
    name: 'sort',
    label: 'Sort',
    options: [
      { value: 'used', label: 'Newest use' },
      { value: 'spend', label: 'Most spent' },
    ],
  },
];

/** The account's API keys. */
export function KeysPage() {
  const keys = useKeys();
  const open = useOpenThing();
  const url = useUrlState();
  const filter = { name: url.get('name'), status: url.get('status'), sort: url.get('sort') };
  const isNarrowed = filter.name !== undefined || filter.status !== undefined;
  const create = <CreateButton open={open} label="Create key" />;
  return (
    <Page
      title="API keys"
      sentence="What programs sign in with; each has rights and limits of its own."
      // An empty list offers it itself.
      action={keys.data?.length === 0 ? undefined : create}
    >
      {keys.data !== undefined && keys.data.length > 0 && <Filters filters={FILTERS} />}
      <ListView
        query={{ ...keys, data: keys.data && orderKeys(keys.data, filter.sort) } as typeof keys}
        fits={(key) => fitsKey(key, filter)}
        label="API keys"
        columns={keyColumns}
        {...open.rows}
        empty={
          isNarrowed
            ? { title: 'No key fits', text: 'Take a filter away to see more.' }
            : {
                title: 'No API keys yet',
                text:
                  'A program sends a key with every request. Create one for each program, so ' +
                  'that each can be limited and revoked by itself.',
                action: create,
              }
        }
      />
      <CreateDrawer open={open} title="Create API key">
        <CreateKey onDone={open.close} />
      </CreateDrawer>
      <OpenedDrawer open={open} title={open.find(keys.data)?.name ?? 'API key'}>
        {(id) => <KeyDetails id={id} onGone={open.close} />}
      </OpenedDrawer>
    </Page>
  );
}
