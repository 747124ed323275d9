import { Button, Stack, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { type RequestsOf, useRefused, useRequests } from '../../api/requests';
import type { RefusedRequest, Request } from '../../api/schemas';
import type { Column } from '../../components/data-table';
import { type Filter, Filters } from '../../components/filters';
import { ListView } from '../../components/list-view';
import { OpenedDrawer } from '../../components/overlay';
import { formatDateTime } from '../../format/time';
import { hrefOfNew, useOpenThing, useUrlState } from '../../url/url-state';
import { RefusedList, RefusedNotice, reasonFilter } from './refused-list';
import { isTime, readFilter, SPANS } from './request-filter';
import { RequestStory } from './request-story';

const FILTERS = ['status', 'reason', 'model', 'key', 'account', 'channel', 'since'] as const;
const NO_FILTERS = Object.fromEntries(FILTERS.map((name) => [name, undefined]));

/** Requests with their filters; each opens its story. */
export function RequestList(props: {
  readonly scope: RequestsOf;
  readonly models: readonly string[];
  /** Filters of one page only: by key, or by account and channel. */
  readonly more: readonly Filter[];
  readonly columns: readonly Column<Request>[];
  /** The column of the list of refused requests that says who asked. */
  readonly whose: Column<RefusedRequest>;
}) {
  const { scope, columns, whose } = props;
  const url = useUrlState();
  const open = useOpenThing();
  const refused = useRefused(scope, url.get('account'));
  const isRefused = url.get('status') === 'refused';
  const reason = reasonFilter(refused.data ?? [], url.get('reason'));
  return (
    <>
      <Stack gap={8}>
        <FindById onFound={open.show} />
        <Filters
          filters={
            isRefused
              ? filtersOfRefused(props.more, reason)
              : filtersOf(props, url.get('since') ?? '')
          }
        />
      </Stack>
      {isRefused ? (
        <RefusedList refused={refused} whose={whose} open={open} />
      ) : (
        <>
          <RefusedNotice refused={refused} href={url.hrefWith({ status: 'refused' })} />
          <FinishedList key={url.get('since')} scope={scope} columns={columns} />
        </>
      )}
      <OpenedDrawer open={open} title="Request">
        {(id) => <RequestStory scope={scope} id={id} />}
      </OpenedDrawer>
    </>
  );
}

const OUTCOME: Filter = {
  name: 'status',
  label: 'Outcome',
  isClosed: true,
  options: [
    { value: 'succeeded', label: 'Succeeded' },
    { value: 'failed', label: 'Failed' },
    { value: 'refused', label: 'Refused' },
  ],
};

function filtersOf(
  props: { readonly models: readonly string[]; readonly more: readonly Filter[] },
  since: string,
): readonly Filter[] {
  const spans = Object.entries(SPANS).map(([value, { label }]) => ({ value, label }));
  return [
    OUTCOME,
    {
      name: 'model',
      label: 'Model',
      options: props.models.map((id) => ({ value: id, label: id })),
    },
    ...props.more,
    {
      name: 'since',
      label: 'Time',
      isClosed: true,
      options: isTime(since)
        ? [...spans, { value: since, label: `Since ${formatDateTime(since)}` }]
        : spans,
    },
  ];
}

/** A refused request has no channel, and was not begun with a model. */
function filtersOfRefused(more: readonly Filter[], reason: Filter): readonly Filter[] {
  return [OUTCOME, reason, ...more.filter(({ name }) => name !== 'channel')];
}

/** A span begins where it did when it was chosen: another beginning would be another list. */
function FinishedList(props: {
  readonly scope: RequestsOf;
  readonly columns: readonly Column<Request>[];
}) {
  const url = useUrlState();
  const open = useOpenThing();
  const [chosenAtMs] = useState(Date.now);
  const filter = readFilter(url.get, chosenAtMs);
  const requests = useRequests(props.scope, filter);
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <ListView
      query={requests}
      label="Requests"
      columns={props.columns}
      {...open.rows}
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
              action: props.scope === 'own' && (
                <Button component={Link} href={hrefOfNew('/keys')} variant="default">
                  Create an API key
                </Button>
              ),
            }
      }
    />
  );
}

/** A field that opens the story of the id that a customer reads out. */
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
