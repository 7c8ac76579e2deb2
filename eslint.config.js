import { defineConfig, globalIgnores } from 'eslint/config';
import svelte from 'eslint-plugin-svelte';
import ts from 'typescript-eslint';

const MADE = ['build/', 'data/', '.svelte-kit/', '.cache/', 'src/lib/paraglide/'];

/** What a reader has to keep in mind at once. */
const size = {
  'max-lines': ['error', { max: 250, skipBlankLines: true, skipComments: true }],
  'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
};

export default defineConfig(
  globalIgnores(MADE),
  ts.configs.strictTypeChecked,
  svelte.configs.recommended,
  {
    languageOptions: {
      parserOptions: {
        project: ['server/tsconfig.json', 'tsconfig.json', 'tsconfig.*.json'],
        tsconfigRootDir: import.meta.dirname,
        extraFileExtensions: ['.svelte'],
      },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      ...size,
      eqeqeq: 'error',
      'no-console': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unsafe-type-assertion': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      // Fastify tells a hook that may wait from one that calls back by the word alone.
      '@typescript-eslint/require-await': 'off',
      // Svelte reads what is written for it alone: `void revision` in a $derived marks a dependency.
      '@typescript-eslint/no-meaningless-void-operator': 'off',
      // The views tell Svelte of their changes as a whole; a Set inside them needs no signal of its own.
      'svelte/prefer-svelte-reactivity': 'off',
      // The application stands at the root of its origin: there is no base path to resolve.
      'svelte/no-navigation-without-resolve': 'off',
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser } },
  },
  {
    // Their types are svelte-check's matter; the rules that need types would take as long again.
    files: ['**/*.svelte'],
    extends: [ts.configs.disableTypeChecked],
  },
  { files: ['scripts/**', 'bench/**', 'demo/**'], rules: { 'no-console': 'off' } },
  {
    // What they are answered is what they are about: its shape shows when it is looked at.
    files: ['test/**', 'bench/**'],
    rules: { '@typescript-eslint/no-unsafe-type-assertion': 'off' },
  },
  { files: ['test/**'], rules: { 'max-lines-per-function': 'off' } },
  { files: ['**/*.js', '**/*.mjs'], extends: [ts.configs.disableTypeChecked] },
);
