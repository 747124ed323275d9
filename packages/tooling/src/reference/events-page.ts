import { isDeepStrictEqual } from 'node:util';
import { DAY_MS } from '@tollgate/core';
import {
  type CatalogueEntry,
  EVENT_SCHEMA_VERSION,
  eventCatalogue,
  TOPICS,
} from '@tollgate/events';
import { toCode, toPage, toTable } from './markdown';
import { type FindKnown, type JsonSchema, listShapes } from './schema-fields';

const INTRODUCTION = `
What services tell each other. Delivery is at least once, and in order for each message key. A
consumer ignores fields it does not know, so new ones may be added without a new version. Times
are ISO-8601 in UTC; amounts are nano-units (10^-9 of the currency) as decimal strings.
`;

interface EventSchema {
  readonly entry: CatalogueEntry;
  readonly envelope: JsonSchema;
  readonly data: JsonSchema;
}

/** The page of every topic and every event on it. */
export function renderEventsPage(): string {
  const events = eventCatalogue.map(toEventSchema);
  const [first] = events;
  return toPage('Events', [
    INTRODUCTION,
    ...(first === undefined ? [] : renderEnvelope(first.envelope)),
    ...Object.entries(TOPICS).flatMap(([topic, { description, keyRule, retentionMs }]) => [
      `## ${topic}`,
      `${description} Message key: ${keyRule} Kept for ${retentionMs / DAY_MS} days.`,
      ...events
        .filter(({ entry }) => entry.topic === topic)
        .flatMap((event) => renderEvent(event, events)),
    ]),
  ]);
}

function toEventSchema(entry: CatalogueEntry): EventSchema {
  // As producers write it: what a schema drops while it reads is no part of the page.
  const envelope = entry.schema.toJSONSchema({ io: 'output' }) as JsonSchema;
  const data = envelope.properties?.data;
  if (data === undefined) throw new Error(`${entry.type} carries no data`);
  return { entry, envelope, data };
}

/** The members around the data, which differ from event to event in the type alone. */
function renderEnvelope({ properties = {}, required = [] }: JsonSchema): readonly string[] {
  const shown: JsonSchema = {
    required,
    properties: {
      ...properties,
      type: { type: 'string', description: 'The type of the event, noun then verb.' },
      schema_version: {
        ...properties.schema_version,
        description: 'Grows only when an older consumer would misread the event.',
      },
      data: { type: 'object', description: 'What the event says; the tables below.' },
    },
  };
  return ['## Envelope', 'Every event is wrapped in the same members.', ...renderShapes(shown)];
}

function renderEvent({ entry, data }: EventSchema, all: readonly EventSchema[]) {
  const findKnown: FindKnown = (schema) => {
    const known = all.find((other) => other.data !== data && isSame(other.data, schema));
    return known && `the data of ${toLink(known.entry.type)}`;
  };
  return [
    `### ${entry.type}`,
    `${entry.description} Version ${EVENT_SCHEMA_VERSION}.`,
    ...renderShapes(data, findKnown),
  ];
}

function renderShapes(schema: JsonSchema, findKnown: FindKnown = () => undefined) {
  return listShapes(schema, findKnown).flatMap(({ title, fields }) => {
    const rows = fields.map(({ path, type, description }) => [toCode(path), type, description]);
    const table = toTable(['field', 'type', 'meaning'], rows);
    return title === '' ? [table] : [`With ${title}:`, table];
  });
}

/** As GitHub makes anchors from headings. */
function toLink(type: string): string {
  return `[${type}](#${type.replaceAll('.', '')})`;
}

/** Where a schema is used it may have another sentence; its fields are what counts. */
function isSame(a: JsonSchema, b: JsonSchema): boolean {
  const fields = ({ description: _sentence, ...rest }: JsonSchema) => rest;
  return isDeepStrictEqual(fields(a), fields(b));
}
