import { error } from '@sveltejs/kit';
import { loadManual } from '$lib/aide/manual';
import { topics } from '$lib/aide/topics';
import type { PageLoad } from './$types';

export const load: PageLoad = async ({ params }) => {
  const topic = topics.find(({ name }) => name === params.page) ?? error(404);
  return { topic, manual: await loadManual() };
};
