import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { operatorLocale } from '../../server/start/operator.mjs';

test.each<[Record<string, string>, string]>([
  [{}, 'fr'],
  [{ LANG: 'fr_FR.UTF-8' }, 'fr'],
  [{ LANG: 'en_GB.UTF-8' }, 'en'],
  [{ LANG: 'en_GB.UTF-8', LC_MESSAGES: 'fr_BE' }, 'fr'],
  [{ LANG: 'fr_FR.UTF-8', LC_MESSAGES: 'fr_FR', LC_ALL: 'en_IE@euro' }, 'en'],
  // An empty variable counts as unset.
  [{ LC_ALL: '', LANG: 'en' }, 'en'],
  // The locale C names no language: the household's is used.
  [{ LANG: 'C.UTF-8' }, 'fr'],
  [{ LANG: 'POSIX' }, 'fr'],
  [{ LC_ALL: 'C', LANG: 'en_GB.UTF-8' }, 'fr'],
  [{ LANG: 'C.UTF-8', LANGUAGE: 'en' }, 'en'],
  [{ LANGUAGE: 'de:en_GB:fr' }, 'en'],
  // The operator's language has priority over the household's.
  [{ LANG: 'fr_FR.UTF-8', LANGUAGE: 'en' }, 'fr'],
  // For another language: the household's, otherwise English.
  [{ LANG: 'nl_BE.UTF-8', LANGUAGE: 'fr' }, 'fr'],
  [{ LANG: 'de_DE.UTF-8' }, 'en'],
  // The code `frr` is another language than `fr`.
  [{ LANG: 'frr_DE.UTF-8' }, 'en'],
])('a command under %j is in %s', (env, locale) => {
  expect(operatorLocale(env, ['fr', 'en'])).toBe(locale);
});

test.each([
  ['en_GB.UTF-8', 'Unknown command: nothing.'],
  ['fr_FR.UTF-8', 'Commande inconnue : nothing.'],
])('the launcher’s language with LANG=%s', (LANG, said) => {
  const { stderr } = spawnSync(process.execPath, ['scripts/launch.mjs', 'nothing'], {
    env: { LANG },
    encoding: 'utf8',
  });
  expect(stderr).toBe(`${said}\n`);
});
