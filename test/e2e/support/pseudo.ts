import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildClient } from '../../../scripts/support/client-build.ts';
import { makeIfStale } from '../../../scripts/support/targets.ts';
import { compileMessages } from '../../../scripts/support/messages.ts';
import { readBuildSettings } from '../../../scripts/support/settings.ts';

/** The application in the pseudo language, for tests only. */
const FOLDER = '.cache/pseudo';
const CLIENT = `${FOLDER}/client`;
export const PSEUDO_CLIENT = resolve(CLIENT);

/** Paraglide's project for the pseudo language, and its compiled messages. */
const PROJECT = `${FOLDER}/pseudo.inlang`;
const [WHOLE, SPLIT] = [`${FOLDER}/whole`, `${FOLDER}/split`];
export const PSEUDO_MESSAGES = resolve(WHOLE, 'messages.js');

export const [OPEN, SHUT] = ['⟦', '⟧'];

/** Keys whose values are read by programs; a number is the index of a variant's inputs. */
const KEPT = /^(?:\$schema|locale|intl_locale|\d+)$/;

const ACCENTS: ReadonlyMap<string, string> = new Map(
  Array.from('aeiouycnsrzAEIOUYCNSRZ', (letter, i) => [
    letter,
    Array.from('åéîøüýçñšřžÅÉÎØÜÝÇÑŠŘŽ')[i] ?? letter,
  ]),
);

/** The length of a pseudo sentence, as a factor: other languages are longer than English. */
const LENGTH = 1.4;
const VOWEL = /[aeiouy]/i;

/** Parameters of a sentence, which are left unchanged. */
const PARTS = /(\{[^}]*\})/;

/**
 * Turns a sentence into pseudo language: readable, longer, and in brackets, which show whether a text is complete and
 * comes from the messages.
 */
export function pseudo(sentence: string): string {
  const parts = sentence.split(PARTS);
  const said = parts.filter((_, i) => i % 2 === 0).join('');
  if (!/\p{L}/u.test(said)) return sentence;
  let lacking = 0;
  const longer = (letter: string): string => {
    lacking += LENGTH - 1;
    const more = VOWEL.test(letter) ? Math.min(2, Math.floor(lacking)) : 0;
    lacking -= more;
    return (ACCENTS.get(letter) ?? letter).repeat(1 + more);
  };
  const text = parts.map((part, i) => (i % 2 === 0 ? Array.from(part, longer).join('') : part));
  return `${OPEN}${text.join('')}${SHUT}`;
}

/**
 * The pseudo language is built on English, so that `Intl` writes English dates and numbers: a French word on the
 * screen then comes from the code.
 */
const pseudoMessages = (english: string): unknown =>
  JSON.parse(english, (key, value: unknown) =>
    typeof value === 'string' && !KEPT.test(key) ? pseudo(value) : value,
  );

async function compilePseudo(): Promise<void> {
  mkdirSync(PROJECT, { recursive: true });
  const english = readFileSync('messages/en.json', 'utf8');
  writeFileSync(`${FOLDER}/en.json`, JSON.stringify(pseudoMessages(english)));
  const settings = {
    baseLocale: 'en',
    locales: ['en'],
    modules: ['../../node_modules/@inlang/plugin-message-format/dist/index.js'],
    'plugin.inlang.messageFormat': { pathPattern: './en.json' },
  };
  writeFileSync(`${PROJECT}/settings.json`, JSON.stringify(settings));
  await compileMessages(PROJECT, WHOLE, SPLIT);
}

/** Builds the pseudo application if its sources have changed; takes as long as any other language. */
export async function buildPseudoIfStale(): Promise<void> {
  const settings = readBuildSettings();
  await makeIfStale({
    sources: [
      'shared/**',
      'messages/en.json',
      'src/**',
      'static/**',
      'test/e2e/support/pseudo.ts',
      'svelte.config.js',
      'tsconfig.json',
      'vite.config.ts',
      'package-lock.json',
      'scripts/support/{build,materials,messages,settings}.ts',
    ],
    made: `${CLIENT}/shell.html`,
    settings,
    make: async (id) => {
      await compilePseudo();
      await buildClient(settings, id, { locale: 'en', messages: SPLIT, folder: CLIENT });
      // The browser asks for English, and the service has one page per language.
      cpSync(join(CLIENT, 'shell.html'), join(CLIENT, 'shell.en.html'));
    },
  });
}
