import { error } from '@sveltejs/kit';
import { topics } from '$lib/aide/topics';
import { locale } from '$lib/format/locale';
import type { PageLoad } from './$types';

/** One chunk per language: a device loads its reader's. */
const manuals = {
  fr: () => import('$lib/aide/ManualFr.svelte'),
  en: () => import('$lib/aide/ManualEn.svelte'),
};

export const load: PageLoad = async ({ params }) => {
  const topic = topics.find(({ name }) => name === params.page) ?? error(404);
  const { default: manual } = await manuals[locale]();
  return { topic, manual };
};
