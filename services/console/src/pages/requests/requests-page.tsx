import { useKeys } from '../../api/keys';
import { useModels } from '../../api/models';
import { Page } from '../../components/page';
import { requestColumns } from './columns';
import { RequestList } from './request-list';

/** The account's requests, how they ended and what they cost. */
export function RequestsPage() {
  const keys = useKeys();
  const models = useModels();
  return (
    <Page title="Requests" sentence="What was asked, how it ended and what it cost, newest first.">
      <RequestList
        scope="own"
        columns={requestColumns}
        models={(models.data ?? []).filter(({ routing }) => !routing).map(({ id }) => id)}
        more={[
          {
            name: 'key',
            label: 'API key',
            options: (keys.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
          },
        ]}
      />
    </Page>
  );
}
