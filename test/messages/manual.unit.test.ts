import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

/** A text of the manual, with the elements around it. */
interface Part {
  readonly page: string;
  readonly tag: string;
  readonly text: string;
}

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

function partsOf(file: string): Part[] {
  return [...read(file).matchAll(/\{#snippet (\w+)\(\)\}(.*?)\{\/snippet\}/gs)].flatMap(
    ([, page = '', body = '']) =>
      Array.from(
        body.matchAll(/<(p|li|h2)>(.*?)<\/\1>|<(ol|ul)>/gs),
        ([, tag, text = '', list = '']) => ({
          page,
          tag: tag ?? list,
          text: text.replace(/[ \n]+/g, ' ').trim(),
        }),
      ),
  );
}

const french = partsOf('src/lib/aide/ManualFr.svelte');
const english = partsOf('src/lib/aide/ManualEn.svelte');

type Message = string | readonly { readonly match: Readonly<Record<string, string>> }[];
const messagesOf = (language: string) =>
  new Map(
    Object.entries(
      JSON.parse(read(`messages/${language}.json`)) as Record<string, Message>,
    ).flatMap(([key, message]): [string, string][] =>
      typeof message === 'string' ? [[key, message]] : [],
    ),
  );

const quotesOf = (text: string, marks: RegExp) =>
  Array.from(text.matchAll(marks), ([, name = '']) => name);

describe('the manual in both languages', () => {
  test('has the same pages, headings, paragraphs and points in the same order', () => {
    const skeleton = (parts: readonly Part[]) => parts.map(({ page, tag }) => `${page}: ${tag}`);
    expect(french.length).toBeGreaterThan(150);
    expect(skeleton(english)).toEqual(skeleton(french));
  });

  test('draws the same from the code', () => {
    const drawn = (parts: readonly Part[]) =>
      parts.map(({ text }) => text.match(/\{[^}]*\}/g) ?? []).flat();
    expect(drawn(english)).toEqual(drawn(french));
  });

  test('calls each button as the screen does in the same language', () => {
    const inFrench = Map.groupBy(messagesOf('fr'), ([, sentence]) => sentence);
    const inEnglish = messagesOf('en');
    const named = french.flatMap(({ text }, i) => {
      const says = new Set(quotesOf(english[i]?.text ?? '', /“([^”]+)”/g));
      return quotesOf(text, /«\u00a0([^»]+)\u00a0»/g).flatMap((name) => {
        const keys = inFrench.get(name) ?? [];
        return keys.length === 0
          ? []
          : [{ name, isSaid: keys.some(([key]) => says.has(inEnglish.get(key) ?? '')) }];
      });
    });
    expect(named.length).toBeGreaterThan(80);
    expect(named.filter(({ isSaid }) => !isSaid).map(({ name }) => name)).toEqual([]);
  });

  test('is written in English typography', () => {
    const wrong = /[«»\u00a0\u202f'"]|\s[;:!?,.](?!\w)|“\s|\s”|\.\.\./u;
    const texts = english.map(({ text }) => text.replace(/\{[^}]*\}/g, '0'));
    expect(texts.filter((text) => wrong.test(text))).toEqual([]);
  });
});
