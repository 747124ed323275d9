import { isDeepStrictEqual } from 'node:util';
import type { ErrorDefinition } from '@tollgate/core';

/** The statements of a page in docs/errors about its code. */
export interface ErrorPage {
  readonly title: string;
  /** The cells of its table, without code marks. */
  readonly cells: readonly string[];
  /** The parsed example; undefined when there is none or when it is no JSON. */
  readonly example: unknown;
}

function parseErrorPage(text: string): ErrorPage {
  const row = /^\|[ -]+\|[ -|]*\n\|(.*)\|$/m.exec(text)?.[1] ?? '';
  return {
    title: /^# (.+)$/m.exec(text)?.[1] ?? '',
    cells: row.split('|').map((cell) => cell.trim().replaceAll('`', '')),
    example: parseJson(/^```json\n([\s\S]*?)^```$/m.exec(text)?.[1]),
  };
}

function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The source that pages are held against. */
export interface ErrorTable {
  readonly definitions: Readonly<Record<string, ErrorDefinition>>;
  /** The body that the gateway makes of the code with this `param`. */
  bodyOf(code: string, param: string | undefined): unknown;
}

/** Everything wrong with the pages, given by file name; empty when each row has its page. */
export function checkErrorPages(
  pages: ReadonlyMap<string, string>,
  table: ErrorTable,
): readonly string[] {
  const expected = Object.keys(table.definitions).map((code) => `${code}.md`);
  const surplus = [...pages.keys()].filter((name) => !expected.includes(name));
  return [
    ...surplus.map((name) => `${name}: no row of the table has this name`),
    ...Object.entries(table.definitions).flatMap(([code, definition]) => {
      const text = pages.get(`${code}.md`);
      if (text === undefined) return [`${code}.md: missing`];
      const problems = checkPage(parseErrorPage(text), code, definition, table);
      return problems.map((problem) => `${code}.md: ${problem}`);
    }),
  ];
}

function checkPage(
  page: ErrorPage,
  code: string,
  definition: ErrorDefinition,
  table: ErrorTable,
): readonly string[] {
  const { httpStatus, grpcStatus, type, retryable } = definition;
  const cells = [String(httpStatus), grpcStatus, type, retryable ? 'yes' : 'no'];
  const problems: string[] = [];
  if (page.title !== code) problems.push(`its title is "${page.title}"`);
  if (!isDeepStrictEqual(page.cells, cells)) {
    problems.push(`its table says ${page.cells.join(', ')} and not ${cells.join(', ')}`);
  }
  // A page may show the field at fault that is usual for its code.
  const param = (page.example as { error?: { param?: string | null } } | undefined)?.error?.param;
  if (!isDeepStrictEqual(page.example, table.bodyOf(code, param ?? undefined))) {
    problems.push('its example is not the body that is sent');
  }
  return problems;
}

/** Codes that no source file names: nothing can ever answer them. */
export function findUnusedCodes(
  codes: readonly string[],
  sources: readonly string[],
): readonly string[] {
  return codes.filter((code) => !sources.some((text) => text.includes(`'${code}'`)));
}
