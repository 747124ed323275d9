import { Button, Stack, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { type RequestFilter, type RequestScope, useRequests } from '../../api/requests';
import type { Request } from '../../api/schemas';
import type { Column } from '../../components/data-table';
import { type Filter, Filters } from '../../components/filters';
import { ListView } from '../../components/list-view';
import { SideDrawer } from '../../components/side-drawer';
import { DAY_MS } from '../../format/time';
import { useOpenThing } from '../../url/open-thing';
import { type UrlState, useUrlState } from '../../url/url-state';
import { RequestStory } from './request-story';

const SPANS: Readonly<Record<string, { readonly label: string; readonly ms: number }>> = {
  '24h': { label: 'Last 24 hours', ms: DAY_MS },
  '7d': { label: 'Last 7 days', ms: 7 * DAY_MS },
  '30d': { label: 'Last 30 days', ms: 30 * DAY_MS },
};
const MINUTE_MS = 60_000;
const FILTERS = ['status', 'model', 'key', 'account', 'channel', 'since'] as const;
const NO_FILTERS = Object.fromEntries(FILTERS.map((name) => [name, undefined]));

/** Requests with their filters; each opens its story. */
export function RequestList(props: {
  readonly scope: RequestScope;
  readonly models: readonly string[];
  /** Filters of one page only: by key, or by account and channel. */
  readonly more: readonly Filter[];
  readonly columns: readonly Column<Request>[];
}) {
  const { scope } = props;
  const url = useUrlState();
  const open = useOpenThing();
  const filter = readFilter(url);
  const requests = useRequests(scope, filter);
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <>
      <Stack gap={8}>
        <FindById onFound={open.show} />
        <Filters
          filters={[
            {
              name: 'status',
              label: 'Outcome',
              options: [
                { value: 'succeeded', label: 'Succeeded' },
                { value: 'failed', label: 'Failed' },
              ],
            },
            {
              name: 'model',
              label: 'Model',
              options: props.models.map((id) => ({ value: id, label: id })),
            },
            ...props.more,
            {
              name: 'since',
              label: 'Time',
              options: Object.entries(SPANS).map(([value, { label }]) => ({ value, label })),
            },
          ]}
        />
      </Stack>
      <ListView
        query={requests}
        label="Requests"
        columns={props.columns}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => open.hrefOf(id)}
        empty={
          isFiltered
            ? {
                title: 'No request fits',
                text: 'Take a filter away to see more.',
                action: (
                  <Button variant="default" onClick={() => url.set(NO_FILTERS)}>
                    Clear filters
                  </Button>
                ),
              }
            : {
                title: 'No requests yet',
                text: 'As soon as a key is used, its requests are here with what they cost.',
              }
        }
      />
      <SideDrawer isOpen={open.id !== undefined} title="Request" onClose={open.close}>
        {open.id !== undefined && <RequestStory scope={scope} id={open.id} />}
      </SideDrawer>
    </>
  );
}

/** Whoever is told an id by a customer opens its story at once. */
function FindById({ onFound }: { readonly onFound: (id: string) => void }) {
  const [id, setId] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (id.trim() === '') return;
    onFound(id.trim());
    setId('');
  };
  return (
    <form onSubmit={submit}>
      <TextInput
        size="xs"
        maw={388}
        aria-label="Request id"
        placeholder="Open by request id, such as req_01…"
        leftSection={<Search size={14} aria-hidden="true" />}
        value={id}
        onChange={(event) => setId(event.currentTarget.value)}
      />
    </form>
  );
}

/** What the address says; a span begins at a whole minute, so that it is not asked anew each time. */
function readFilter(url: UrlState): RequestFilter {
  const span = SPANS[url.get('since') ?? ''];
  const status = url.get('status');
  const given = {
    model: url.get('model'),
    key_id: url.get('key'),
    account_id: url.get('account'),
    channel_id: url.get('channel'),
    status: status === 'succeeded' || status === 'failed' ? status : undefined,
    start:
      span === undefined
        ? undefined
        : new Date(Math.floor((Date.now() - span.ms) / MINUTE_MS) * MINUTE_MS).toISOString(),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
