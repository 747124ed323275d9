import { Button, Stack, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useDiscoverModels } from '../../api/channels';
import type { DiscoveredModels } from '../../api/schemas';
import { CodeBlock } from '../../components/copy';
import { Failure } from '../../components/failure';
import { More } from '../../components/form';
import { formatCount, formatNumberOf } from '../../format/quantity';
import { addModels, type ChannelDraft, toNewChannel } from './channel-draft';

/** Fills the models with those of the catalogue that the vendor has; the others are listed. */
export function AskVendor({ form }: { readonly form: UseFormReturnType<ChannelDraft> }) {
  const discover = useDiscoverModels();
  const ask = () => {
    if (form.validateField('base_url').hasError) return;
    discover.mutate(toNewChannel(form.getValues()), {
      onSuccess: ({ models }) => {
        const names = models.filter(({ in_catalogue }) => in_catalogue).map(({ name }) => name);
        form.setFieldValue('models', (text) => addModels(text, names));
      },
    });
  };
  return (
    <Stack gap="xs" align="flex-start">
      <Button variant="default" loading={discover.isPending} onClick={ask}>
        Ask the vendor
      </Button>
      {discover.error !== null && <Failure error={discover.error} />}
      {discover.data !== undefined && <Found found={discover.data} />}
    </Stack>
  );
}

function Found({ found: { models, error } }: { readonly found: DiscoveredModels }) {
  if (error !== null) return <Failure error={new Error(`The vendor gave no list: ${error}`)} />;
  const others = models.filter(({ in_catalogue }) => !in_catalogue);
  return (
    <>
      <Text size="sm" role="status">
        The vendor has {formatNumberOf(models.length, 'model')},{' '}
        {formatCount(models.length - others.length)} of them in the catalogue.
      </Text>
      {others.length > 0 && (
        <More label="Names that the catalogue does not have">
          <CodeBlock
            text={others.map(({ name }) => name).join('\n')}
            what="names"
            maxHeight={240}
          />
        </More>
      )}
    </>
  );
}
