// Biome formats and lints; ESLint is here for the rules that need types, and for those that Biome
// does not know.
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

const wallClock = { message: 'only packages/core reads the clock; take a Clock' };
// A spread says that something is overridden or is there at times; members of a literal say neither.
const spreadLiteral = {
  selector: 'SpreadElement > :matches(ObjectExpression, ArrayExpression)',
  message: 'write the members of the literal without the spread',
};
const namedAsWallTime = [
  'VariableDeclarator[id.name',
  'Property[key.name',
  'AssignmentExpression[left.name',
  'AssignmentExpression[left.property.name',
].map((place) => `${place}=/^now(Ms)?$|AtMs$/]`);
const monotonicReading =
  'CallExpression:matches([callee.property.name="monotonicMs"], ' +
  '[callee.object.name="performance"][callee.property.name="now"])';
// The value is a reading, makes one when it is called, or is a moment so long after one.
const monotonicName = {
  selector: ['>', '> ArrowFunctionExpression >', '> BinaryExpression >']
    .map((within) => `:matches(${namedAsWallTime}) ${within} ${monotonicReading}`)
    .join(', '),
  message: 'a name of the wall clock; say monotonicNowMs or ...MonotonicMs of the other one',
};

export default defineConfig(
  {
    ignores: [
      '**/dist/**',
      '**/gen/**',
      '**/node_modules/**',
      '**/*.cjs',
      '**/*.mjs',
      '.toolchain/**',
    ],
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: { parser: tseslint.parser },
    // Where a rule is wrong about a line, the rule is changed here and not switched off there.
    linterOptions: { noInlineConfig: true },
    rules: {
      'no-restricted-syntax': ['error', spreadLiteral, monotonicName],
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'], location: 'anywhere' }],
      // For what the formatter cannot break: comments, and lines that hold one long word.
      'max-len': [
        'error',
        {
          code: 100,
          // A sentence of the width that fits, with the marks of a comment on one line.
          comments: 104,
          ignoreUrls: true,
          ignoreStrings: true,
          ignoreTemplateLiterals: true,
          ignoreRegExpLiterals: true,
          ignorePattern: String.raw`^\s*(import|export|\} from)\b|^\s*(test|it|describe)(\.each)?\(`,
        },
      ],
    },
  },
  {
    files: ['**/*.ts'],
    // The console's clock is the browser's.
    ignores: [
      'packages/{core,testkit,tooling}/**',
      'services/console/**',
      'test-e2e/**',
      '**/*.test.ts',
      '**/*contract.ts',
    ],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', ...wallClock },
        { object: 'performance', property: 'now', ...wallClock },
      ],
      'no-restricted-syntax': [
        'error',
        spreadLiteral,
        monotonicName,
        { selector: 'NewExpression[callee.name="Date"][arguments.length=0]', ...wallClock },
      ],
    },
  },
  {
    files: ['**/*.ts'],
    ignores: ['services/console/**'],
    plugins: { '@typescript-eslint': tseslint.plugin },
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: {
        project: './tsconfig.lint.json',
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': [
        'error',
        { checksVoidReturn: { arguments: false } },
      ],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unsafe-argument': 'error',
      '@typescript-eslint/no-unsafe-assignment': 'error',
      '@typescript-eslint/no-unsafe-call': 'error',
      '@typescript-eslint/no-unsafe-member-access': 'error',
      '@typescript-eslint/no-unsafe-return': 'error',
      '@typescript-eslint/only-throw-error': 'error',
    },
  },
);
