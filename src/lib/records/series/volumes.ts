import { inOrder, type Batch } from '$lib/api/feedback.svelte';
import { m } from '$lib/paraglide/messages';
import type { EmpruntSaisi, Livre, SerieDuLivre } from '#shared/livres';
import type { Serie } from '#shared/series';
import { numeroOf } from '#shared/series-titres';
import { ajouterLivre } from '../livres/kind.svelte.ts';
import { livresView } from '../livres/view.svelte.ts';

/** An owned volume that is to be added as a book in its place. */
export interface NewVolume {
  readonly titre: string;
  /** The place in a series; `null` without one. */
  readonly place: SerieDuLivre | null;
  readonly typeDocument: Livre['typeDocument'];
}

/** The volumes of these numbers, with the titles that the series has for them. */
export function volumesOfSerie(serie: Serie, numeros: readonly string[]): readonly NewVolume[] {
  const known = new Map(serie.places.map(({ numero, titre }) => [numeroOf(numero ?? ''), titre]));
  const owned = serie.places.flatMap(({ livreId }) => livresView.get(livreId ?? 0) ?? []);
  const areComics = owned.some(({ typeDocument }) => typeDocument === 'BandeDessinee');
  return numeros.map((numero) => ({
    titre: known.get(numero) ?? m.tome_titre({ serie: serie.titre, numero }),
    place: { serie: { id: serie.id }, numero },
    typeDocument: areComics ? 'BandeDessinee' : 'NonPrecise',
  }));
}

/** Adds volumes one after another as one undo group; missing places are created. */
export const ajouterVolumes = (
  volumes: readonly NewVolume[],
  batch: Batch,
  of: { readonly emplacementId?: number | null; readonly emprunteA?: EmpruntSaisi | null } = {},
): Promise<readonly Livre[]> =>
  inOrder(volumes, ({ place, ...volume }, onAnswer) =>
    ajouterLivre(
      { ...volume, format: 'Physique', ...of, ...(place && { place }) },
      { query: { confirmerDoublon: true }, batch, onAnswer },
    ),
  );
