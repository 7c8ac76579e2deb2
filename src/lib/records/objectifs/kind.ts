import { operation } from '$lib/api/write.svelte';
import { m } from '$lib/paraglide/messages';
import { views } from '$lib/sync/views.svelte';
import type { Kind } from '$lib/ui/kind';
import * as endpoints from '#shared/objectifs';
import type { Objectif, Unite } from '#shared/objectifs';

export const uniteLabels: Readonly<Record<Unite, () => string>> = {
  livres: m.unite_livres,
  pages: m.unite_pages,
};

export const objectifsView = {
  get: (id: number): Objectif | undefined => views().objectifs.get(id),
  /** The goal of a year, « 2026 »; `undefined` where it has none. */
  ofYear: (year: string): Objectif | undefined =>
    [...views().objectifs.values()].find(({ annee }) => annee === year),
};

export const fixerObjectif = operation(endpoints.fixerObjectif);
export const retirerObjectif = operation(endpoints.retirerObjectif);

export const objectifs: Kind<Objectif> = {
  collection: 'objectifs',
  label: m.kind_objectif,
  fields: [
    {
      key: 'nombre',
      label: m.objectif_nombre,
      read: ({ nombre }) => String(nombre),
    },
    {
      key: 'unite',
      label: m.objectif_unite,
      read: ({ unite }) => uniteLabels[unite](),
      format: (unite) => (unite === 'pages' ? m.unite_pages() : m.unite_livres()),
    },
  ],
  get: objectifsView.get,
  titreOf: ({ annee }) => annee,
};
