import Layers from '@lucide/svelte/icons/layers';
import { href } from '$lib/format/address';
import { m } from '$lib/paraglide/messages';
import type { EditableKind, ScreenKind } from '$lib/ui/kind';
import type { Serie } from '#shared/series';
import { ajouterSerie, modifierSerie, supprimerSerie } from './operations.ts';
import { SERIE_FIELDS, SerieEntry } from './serie-entry.svelte.ts';
import { seriesView } from './view.svelte.ts';

export const series: EditableKind<Serie, SerieEntry> & ScreenKind<Serie> = {
  collection: 'series',
  label: m.field_serie,
  fields: SERIE_FIELDS,
  get: (id) => seriesView.get(id),
  titreOf: ({ titre }) => titre,
  entryOf: (serie) => new SerieEntry(serie, serie.id),
  ajouter: (entry, unsent) => ajouterSerie(entry.toSaisie(), { unsent }),
  modifier: (id, entry, ifMatch, unsent) =>
    modifierSerie(id, entry.toSaisie(seriesView.get(id)), { ifMatch, unsent }),
  supprimer: ({ id }, ifMatch) => supprimerSerie(id, { ifMatch }),
  hrefOf: ({ id }) => href(`/series/${id}`),
  listOf(serie) {
    const parent = seriesView.ancestors(serie).at(-1);
    return parent === undefined
      ? { href: href('/series'), label: m.destination_series() }
      : { href: href(`/series/${parent.id}`), label: parent.titre };
  },
  notFound: () => ({
    icon: Layers,
    heading: m.serie_not_found(),
    text: m.not_found_text_feminine(),
    back: { href: href('/series'), label: m.back_to_series() },
  }),
};
