import { useKeys } from '../../api/keys';
import { useModels } from '../../api/models';
import { Page } from '../../components/page';
import { Name } from '../../components/values';
import { nameById, toOptions } from '../../format/names';
import { NOTHING } from '../../format/quantity';
import { requestColumns } from './columns';
import { RequestList } from './request-list';

/** The account's requests, how they ended and what they cost. */
export function RequestsPage() {
  const keys = useKeys();
  const models = useModels();
  const nameKey = (id: string) => nameById(keys.data, id);
  return (
    <Page title="Requests" sentence="What was asked, how it ended and what it cost, newest first.">
      <RequestList
        scope="own"
        columns={requestColumns}
        whose={{
          header: 'API key',
          width: 'name',
          cell: ({ key_id }) => <Name of={key_id === null ? NOTHING : nameKey(key_id)} />,
        }}
        models={(models.data ?? []).filter(({ routing }) => !routing).map(({ id }) => id)}
        more={[{ name: 'key', label: 'API key', options: toOptions(keys.data) }]}
      />
    </Page>
  );
}
