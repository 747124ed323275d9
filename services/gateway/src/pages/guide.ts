import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { escapeHtml } from '../http/html';

/** Pages of the menu besides the reference, in its order: paths below docs/ without `.md`. */
const MENU: readonly (readonly [path: string, title: string])[] = [
  ['guide/getting-started', 'Getting started'],
  ['guide/keys-and-limits', 'Keys and limits'],
  ['guide/streaming', 'Streaming'],
  ['guide/errors', 'Errors'],
  ['guide/webhooks', 'Webhooks'],
  ['billing', 'Billing'],
  ['formats', 'Wire formats'],
  ['routing', 'Routing'],
  ['vendors', 'Vendors'],
  ['guide/migration', 'Migration'],
  ['guide/changelog', 'Changelog'],
];

const BASE = '/docs/';

/** The same in `src` and in `dist`. */
const FOLDER = join(__dirname, '../../../../docs');

/** The pages of docs/ as HTML, made when each is first asked for. */
export interface Guide {
  /** `path` is below `/docs/`; undefined when there is no such page. */
  read(path: string): string | undefined;
}

export function createGuide(folder = FOLDER): Guide {
  let files: ReadonlySet<string> | undefined;
  const rendered = new Map<string, string>();
  return {
    read(path) {
      files ??= listPages(folder);
      // Only what was listed is read: a path of a request is never joined to a folder.
      if (!files.has(path)) return undefined;
      const html = rendered.get(path) ?? render(path, join(folder, `${path}.md`), files);
      rendered.set(path, html);
      return html;
    },
  };
}

/** Every `name.md` below the folder as `name`; none where an image was built without them. */
function listPages(folder: string): ReadonlySet<string> {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return new Set(names.filter((name) => name.endsWith('.md')).map((name) => name.slice(0, -3)));
  } catch {
    return new Set();
  }
}

function render(path: string, file: string, pages: ReadonlySet<string>): string {
  const text = readFileSync(file, 'utf8');
  const title = /^# (.+)$/m.exec(text)?.[1] ?? basename(path);
  const slugs = new Map<string, number>();
  // Loaded with the first page that is asked for, as the pages are.
  const { Marked } = require('marked') as typeof import('marked');
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: words }) {
        const content = this.parser.parseInline(tokens);
        return `<h${depth} id="${slugOf(words, slugs)}">${content}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const content = this.parser.parseInline(tokens);
        const target = targetOf(href, path, pages);
        return target === undefined ? content : `<a href="${escapeHtml(target)}">${content}</a>`;
      },
      image: ({ text: words }) => escapeHtml(words),
    },
  });
  return layOut(title, path, marked.parse(text, { async: false }));
}

/** Links to other pages lead to them; links to files that are no page lead nowhere. */
function targetOf(href: string, from: string, pages: ReadonlySet<string>): string | undefined {
  if (/^(?:https?:|#|\/)/.test(href)) return href;
  const [file = '', fragment] = href.split('#');
  const path = normalize(join(dirname(from), file.replace(/\.md$/, '')));
  if (!pages.has(path)) return undefined;
  return `${BASE}${path}${fragment === undefined ? '' : `#${fragment}`}`;
}

/** The anchor that code hosts give to a heading, numbered when it comes again. */
function slugOf(heading: string, seen: Map<string, number>): string {
  const words = heading.toLowerCase().replace(/[^\p{L}\p{N}\s-]/gu, '');
  const slug = words.trim().replace(/\s/g, '-');
  const count = seen.get(slug) ?? 0;
  seen.set(slug, count + 1);
  return count === 0 ? slug : `${slug}-${count}`;
}

/** The menu of every page below `/docs`; `here` is the path of the present one. */
export function guideMenuOf(here: string): string {
  const entry = (address: string, title: string, present: boolean) =>
    `<a href="${address}"${present ? ' aria-current="page"' : ''}>${title}</a>`;
  return [
    '<nav class="menu" aria-label="Documentation">',
    entry('/docs', 'API reference', here === ''),
    ...MENU.map(([path, title]) => entry(`${BASE}${path}`, title, path === here)),
    '</nav>',
  ].join('\n');
}

function layOut(title: string, path: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title.replaceAll('`', ''))} · Tollgate</title>
<link rel="stylesheet" href="/docs/guide.css">
</head>
<body class="page">
${guideMenuOf(path)}
<main>
${content.replaceAll('<table>', '<div class="wide"><table>').replaceAll('</table>', '</table></div>')}
</main>
</body>
</html>
`;
}

/** The style of the menu and the pages; the menu stands above the reference too. */
export const GUIDE_STYLE = `:root { color-scheme: light dark; --line: #d7dbe0; --soft: #f4f5f7; --link: #1c6dd0; }
@media (prefers-color-scheme: dark) { :root { --line: #373c43; --soft: #22262b; --link: #74b0f4; } }
.menu { display: flex; flex-wrap: wrap; gap: 4px 16px; padding: 12px 24px; border-bottom: 1px solid var(--line);
  font: 14px/1.5 system-ui, sans-serif; }
.menu a { color: inherit; text-decoration: none; padding: 2px 0; }
.menu a:hover { text-decoration: underline; }
.menu a[aria-current] { font-weight: 600; box-shadow: 0 2px 0 var(--link); }
body { margin: 0; }
.page { font: 15px/1.6 system-ui, sans-serif; }
.page main { max-width: 820px; margin: 0 auto; padding: 16px 24px 64px; }
.page h1 { font-size: 28px; line-height: 1.25; }
.page h2 { font-size: 20px; margin-top: 40px; }
.page a { color: var(--link); }
.page .menu a { color: inherit; }
.page code { font: 13px/1.5 ui-monospace, monospace; background: var(--soft); padding: 1px 4px; border-radius: 4px; }
.page pre { background: var(--soft); border: 1px solid var(--line); border-radius: 8px; padding: 12px 16px; overflow-x: auto; }
.page pre code { background: none; padding: 0; }
.page .wide { overflow-x: auto; }
.page table { border-collapse: collapse; }
.page th, .page td { border-bottom: 1px solid var(--line); padding: 6px 12px 6px 0; text-align: left; vertical-align: top; }
`;
