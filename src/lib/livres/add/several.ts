import { m } from '$lib/paraglide/messages';
import { seriesView } from '$lib/records/series/view.svelte';
import { volumesOfSerie, type NewVolume } from '$lib/records/series/volumes';
import { lastTome, missingNumeros, tomesOwned } from '#shared/series-gaps';
import { parseTome, serieOfTitre } from '#shared/series-titres';
import { spanOfTitre } from '#shared/tomes';
import type { NextVolume } from './address.ts';

/** One of several volumes that are added at once. */
export interface SeveralVolume extends NewVolume {
  /** The house has it: it is not added again. */
  readonly isOwned: boolean;
}

/** The volumes of « Astérix 1-4 »; empty for any other text. */
export function volumesOfSpan(text: string): readonly SeveralVolume[] {
  const span = spanOfTitre(text);
  if (span === null) return [];
  const numeros = span.tomes.map(String);
  const serie = serieOfTitre(span.titre, seriesView.all());
  if (serie !== null) {
    const owned = tomesOwned(serie);
    return volumesOfSerie(serie, numeros).map((volume, i) => ({
      ...volume,
      isOwned: owned.has(span.tomes[i] ?? 0),
    }));
  }
  return numeros.map((numero) => ({
    titre: m.tome_titre({ serie: span.titre, numero }),
    place: { serie: { titre: span.titre }, numero },
    typeDocument: 'BandeDessinee',
    isOwned: false,
  }));
}

/**
 * The books of pasted lines: in the given series, in the one of their titles, or in none.
 *
 * @param next the series whose « + » was pressed: titles without a number get its missing ones, in order
 */
export function volumesOfLines(
  lines: readonly string[],
  next: NextVolume | null,
): readonly SeveralVolume[] {
  const serie = next === null ? undefined : seriesView.get(next.id);
  const lacking = serie === undefined ? [] : [...missingNumeros(serie)];
  let last = serie === undefined ? 0 : (lastTome(serie) ?? 0);
  return lines.map((titre) => {
    const tome = parseTome(titre);
    if (next === null) {
      const place = tome === null ? null : { serie: { titre: tome.serie }, numero: tome.numero };
      return { titre, place, typeDocument: 'NonPrecise', isOwned: false };
    }
    const numero = tome?.numero ?? lacking.shift() ?? String(++last);
    return {
      titre,
      place: { serie: { id: next.id }, numero },
      typeDocument: 'NonPrecise',
      isOwned: false,
    };
  });
}
