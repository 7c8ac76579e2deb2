import { defineConfig, globalIgnores } from 'eslint/config';
import regexp from 'eslint-plugin-regexp';
import svelte from 'eslint-plugin-svelte';
import ts from 'typescript-eslint';

// Components alone: .oxlintrc.json has the rules of all else, which types are needed for. Their types
// are svelte-check's matter.
export default defineConfig(
  globalIgnores(['build/', 'data/', '.svelte-kit/', '.cache/', '**/*.ts', '**/*.js', '**/*.mjs']),
  ts.configs.strict,
  svelte.configs.recommended,
  {
    files: ['**/*.svelte'],
    plugins: { regexp },
    languageOptions: { parserOptions: { parser: ts.parser } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'max-lines': ['error', { max: 600, skipBlankLines: true, skipComments: true }],
      eqeqeq: 'error',
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
      'no-console': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      // The views tell Svelte of their changes as a whole; a Set inside them needs no signal of its own.
      'svelte/prefer-svelte-reactivity': 'off',
      // Links are made by `href` of src/lib/format/address.ts, which knows where the application lives on its host.
      'svelte/no-navigation-without-resolve': 'off',
    },
  },
);
