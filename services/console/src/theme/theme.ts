import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

/** The accent; everything else is grey, and status colours stand for status alone. */
const toll: MantineColorsTuple = [
  '#effcf9',
  '#d9f3ed',
  '#b0e5da',
  '#82d5c5',
  '#57c2af',
  '#2fa894',
  '#168a79',
  '#0f766e',
  '#0d5f59',
  '#0a4a46',
];

/** Greys with a little of the accent, from text to the darkest ground. */
const dark: MantineColorsTuple = [
  '#e3e9e7',
  '#b9c4c1',
  '#9ba8a5',
  '#71807c',
  '#34403d',
  '#28322f',
  '#1a2120',
  '#111615',
  '#0d1211',
  '#0a0e0d',
];

/** The icon that closes it has a name for those who cannot see it. */
const OVER_THE_PAGE = {
  transitionProps: { duration: 120 },
  overlayProps: { opacity: 0.35 },
  closeButtonProps: { 'aria-label': 'Close' },
};

export const theme = createTheme({
  primaryColor: 'toll',
  colors: { toll, dark },
  primaryShade: 7,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily:
    'Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
  fontFamilyMonospace:
    'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.3' },
      h2: { fontSize: '1rem', lineHeight: '1.4' },
      h3: { fontSize: '0.875rem', lineHeight: '1.4' },
    },
  },
  components: {
    Button: { defaultProps: { size: 'sm' } },
    Drawer: {
      defaultProps: OVER_THE_PAGE,
    },
    Modal: {
      defaultProps: OVER_THE_PAGE,
      // Above a drawer of the same colour it needs an edge.
      styles: {
        content: { border: '1px solid var(--toll-line)' },
        title: { fontWeight: 600, lineHeight: 1.4 },
      },
    },
    Menu: { defaultProps: { transitionProps: { duration: 100 }, shadow: 'md' } },
    Tooltip: { defaultProps: { transitionProps: { duration: 100 }, openDelay: 250 } },
  },
});

/** Greys that keep 4.5:1 on the page, and the few tokens that our own styles share. */
export const resolveVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-text': '#17211f',
    '--mantine-color-dimmed': '#5b6664',
    '--mantine-color-placeholder': '#6b7674',
    '--mantine-color-disabled-color': '#5b6664',
    '--mantine-color-error': '#c0281f',
    '--mantine-color-anchor': '#0d6b64',
    '--toll-rail': '#f6f8f7',
    '--toll-raised': '#ffffff',
    '--toll-sunken': '#f3f6f5',
    '--toll-line': '#e2e8e6',
    '--toll-hover': '#f4f8f7',
    '--toll-active': '#e3f2ef',
    '--toll-active-text': '#0a4a46',
    '--toll-good': '#15803d',
    '--toll-warn': '#b45309',
    '--toll-bad': '#c0281f',
    '--toll-idle': '#76827f',
    '--toll-edge': '#84908d',
  },
  dark: {
    '--mantine-color-body': '#111615',
    '--mantine-color-text': '#e3e9e7',
    '--mantine-color-dimmed': '#9ba8a5',
    '--mantine-color-placeholder': '#8a9794',
    '--mantine-color-disabled-color': '#9ba8a5',
    '--mantine-color-error': '#ff8f85',
    '--mantine-color-anchor': '#6fd0bf',
    '--mantine-color-default': '#1a2120',
    '--mantine-color-default-border': '#34403d',
    '--toll-rail': '#0c1110',
    '--toll-raised': '#161d1b',
    '--toll-sunken': '#0d1211',
    '--toll-line': '#28322f',
    '--toll-hover': '#1a2321',
    '--toll-active': '#16302c',
    '--toll-active-text': '#9be3d6',
    '--toll-good': '#4ade80',
    '--toll-warn': '#fbbf24',
    '--toll-bad': '#ff8f85',
    '--toll-idle': '#7d8a87',
    '--toll-edge': '#67746f',
  },
});

/**
 * The nonce of this page's answer, without which the browser takes no style sheet that is made
 * here; empty where the page was served without a policy.
 */
export function styleNonce(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]');
  return meta?.nonce ?? '';
}
