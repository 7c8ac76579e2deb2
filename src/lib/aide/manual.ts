import { mount, unmount, type Component } from 'svelte';
import { normaliser, wordMatcher } from '#shared/text';
import { locale } from '$lib/format/locale';
import { unawaited } from '$lib/sync/report';
import { topics, type Topic } from './topics.ts';

type ManualText = Component<{ name: Topic['name'] }>;

/** A paragraph or a point of a list. */
export interface Passage {
  readonly topic: Topic;
  /** The heading above it within its page, else ''. */
  readonly heading: string;
  readonly text: string;
  /** The section's id on its page. */
  readonly id: string;
}

/** One chunk per language: a device loads its reader's. */
const manuals: Readonly<Record<typeof locale, () => Promise<{ default: ManualText }>>> = {
  fr: () => import('./ManualFr.svelte'),
  en: () => import('./ManualEn.svelte'),
};

export const loadManual = async (): Promise<ManualText> => (await manuals[locale]()).default;

const pictures = import.meta.glob<string>('$manual-pictures/*.webp', {
  eager: true,
  query: '?url',
  import: 'default',
});

export const pictureOf = ({ name }: Topic): string | undefined =>
  Object.entries(pictures).find(([path]) => path.endsWith(`/${name}.webp`))?.[1];

/** Gives each passage of a page its id. */
export function identifyPassages(page: HTMLElement): HTMLElement[] {
  const passages = [...page.querySelectorAll<HTMLElement>('p, li')];
  for (const [i, passage] of passages.entries()) passage.id = `passage-${String(i + 1)}`;
  return passages;
}

/** The manual as a search reads it: its pages are drawn apart, since their texts stand in components. */
export function passagesOf(manual: ManualText): Passage[] {
  return topics.flatMap((topic) => {
    const target = document.createElement('div');
    const page = mount(manual, { target, props: { name: topic.name } });
    identifyPassages(target);
    let heading = '';
    const passages: Passage[] = [];
    for (const part of target.querySelectorAll('h2, p, li')) {
      const text = part.textContent.replace(/\s+/g, ' ').trim();
      if (part.tagName === 'H2') heading = text;
      else passages.push({ topic, heading, text, id: part.id });
    }
    unawaited(unmount(page), 'reading the manual');
    return passages;
  });
}

/**
 * The passages with each word of the search, as the catalogue matches them (docs/rules.md § 6), headings included. A
 * heading that has all words gives its first passage alone.
 */
export function searchManual(passages: readonly Passage[], recherche: string): Passage[] {
  const matches = wordMatcher(recherche);
  const headed = new Set<string>();
  const found = passages.filter(({ topic, heading, text }) => {
    const page = normaliser(topic.heading());
    const section = `${page} ${normaliser(heading)}`;
    if (!matches(section)) return matches(`${section} ${normaliser(text)}`);
    const key = matches(page) ? page : section;
    return !headed.has(key) && headed.add(key);
  });
  const isOfTitle = ({ topic }: Passage) => matches(normaliser(topic.heading()));
  return [...found.filter(isOfTitle), ...found.filter((passage) => !isOfTitle(passage))];
}
