import { write } from '$lib/sync/write';
import { keepLibraryName } from '$lib/ui/library-name.svelte';
import { nommerBibliotheque } from '#shared/bibliotheque';

/** Names the library for the whole household; without a name it has that of its setting again. */
export async function nommer(nom: string): Promise<void> {
  const answer = await write(nommerBibliotheque, { body: { nom } });
  keepLibraryName(answer.nom);
}
