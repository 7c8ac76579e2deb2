import { redirect } from '@sveltejs/kit';
import { href } from '$lib/format/address';
import { givenByPage } from '$lib/recherche/code';
import type { PageLoad } from './$types';

export const load: PageLoad = ({ url }) => {
  const given = givenByPage(url.searchParams);
  if (given !== null) redirect(307, `${href('/livres/ajouter')}?${given.toString()}`);
};
