import { error } from '@sveltejs/kit';
import { topics } from '$lib/aide/topics';
import type { PageLoad } from './$types';

export const load: PageLoad = ({ params }) => ({
  topic: topics.find(({ name }) => name === params.page) ?? error(404),
});
