import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readSources } from '../architecture/modules.ts';

interface Variant {
  readonly match: Readonly<Record<string, string>>;
}

const catalogue = JSON.parse(
  readFileSync(new URL('../../messages/fr.json', import.meta.url), 'utf8'),
) as Record<string, string | readonly Variant[]>;

/** Every message of the screens, by key. */
const sentences = Object.entries(catalogue).flatMap(([key, message]): [string, string][] => {
  if (key === '$schema') return [];
  if (typeof message === 'string') return [[key, message]];
  return message.flatMap(({ match }) =>
    Object.values(match).map((sentence): [string, string] => [key, sentence]),
  );
});

/** The texts of the manual by the names of their snippets, without markup. */
const MANUAL = readFileSync(new URL('../../src/lib/aide/ManualFr.svelte', import.meta.url), 'utf8');
const pages = [...MANUAL.matchAll(/\{#snippet (\w+)\(\)\}(.*?)\{\/snippet\}/gs)].map(
  ([, name = '', text = '']): [string, string] => [
    name,
    text.replace(/<[^>]*>|\{[^}]*\}/g, '').replace(/[ \n]+/g, ' '),
  ],
);

/** Makes no-break spaces visible, for readable failures. */
const visible = (text: string) => text.replaceAll('\u00a0', '⍽').replaceAll('\u202f', '⎵');

/**
 * The keys of the messages that the service also sends. Scripts compare these messages, so they have plain spaces; the
 * screens insert no-break spaces.
 */
const SENT_BY_SERVICE = /^(?:told|refusal|champ|reason|operator|table|export_page|export_label)_/;

/** The sentences that match a forbidden pattern. */
const violations = (wrong: RegExp, allowed: readonly string[] = []) =>
  sentences
    .filter(([key, sentence]) => !allowed.includes(key) && wrong.test(sentence))
    .map(([key, sentence]) => `${key}: ${visible(sentence)}`);

const screenViolations = (wrong: RegExp) =>
  violations(wrong).filter((breach) => !SENT_BY_SERVICE.test(breach));

/** Names that scripts and screen readers look up with a typewriter apostrophe. */
const STRAIGHT_APOSTROPHES = ['write_slow', 'rechercher_isbn_label'];

describe('the sentences of the screen', () => {
  test('have a narrow no-break space before « ; », « ! » and « ? »', () => {
    // A code may end in « -? » if its check digit is asked for, and « ? » may be a key.
    expect(screenViolations(/(?<!\u202f|-|«\u00a0)[;!?]/u)).toEqual([]);
  });

  test('have a no-break space before a colon', () => {
    // The colon of an address or a time of day is not punctuation.
    expect(screenViolations(/(?<!\u00a0):(?!\/\/|\d)/u)).toEqual([]);
  });

  test('have a no-break space inside quotation marks', () => {
    expect(screenViolations(/«(?!\u00a0)|(?<!\u00a0)»/u)).toEqual([]);
  });

  test('have typographic apostrophes, quotation marks and ellipses', () => {
    expect(violations(/['"]|\.\.\./u, STRAIGHT_APOSTROPHES)).toEqual([]);
  });

  test('have single spaces, and none at their ends', () => {
    expect(violations(/\s{2}|^\s|\s$/u)).toEqual([]);
  });

  test('call things by one word', () => {
    expect(
      violations(
        /liste d’envies|(?<!«\u00a0)\benvies?\b|\bréuni[rts]?\b|\bouvrages?\b|répond(?:ent)? à ce(?:tte)? (?:choix|recherche)|ranger à la main|au retour du réseau|\bemporter\b|\bjeter\b/iu,
      ),
    ).toEqual([]);
  });
});

test('the manual has no-break spaces as French typography asks', () => {
  const wrong =
    /.{0,30}(?:(?<!\u202f)[;!?]|(?<!\u00a0):(?!\/\/|\d)|«(?!\u00a0)|(?<!\u00a0)»).{0,10}/u;
  const found = pages.flatMap(([name, text]) => {
    const [part] = wrong.exec(text) ?? [];
    return part === undefined ? [] : [`${name}: ${visible(part)}`];
  });
  expect(pages.length).toBeGreaterThan(5);
  expect(found).toEqual([]);
});

test('every message is used somewhere', () => {
  const page = readFileSync(new URL('../../svelte.config.js', import.meta.url), 'utf8');
  // The launcher, too, which reads the message files directly.
  const door = readFileSync(new URL('../../scripts/launch.mjs', import.meta.url), 'utf8');
  const programs = readSources('{src,shared,server,scripts}').values();
  const sources = [...programs, page, door].join('\n');
  const used = new Set(Array.from(sources.matchAll(/\b(?:m|messages)\.(\w+)/g), ([, key]) => key));
  expect(Object.keys(catalogue).filter((key) => key !== '$schema' && !used.has(key))).toEqual([]);
});
